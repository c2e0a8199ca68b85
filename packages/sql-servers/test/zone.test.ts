// Moments and the local time of a zone: both directions agree with what JavaScript does in that zone.

import t from 'tap'
import { offsetText, Zone } from '../src/dialect/zone.ts'
import { storedZone } from '../src/settings/stored-zone.ts'

const zones = ['Europe/Paris', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia', 'Africa/Casablanca']

/** The date and time that a zone shows at a moment, as if it were UTC. */
function shown(zone: string, ms: number): number {
  return Date.parse(`${new Date(ms).toLocaleString('sv-SE', { timeZone: zone }).replace(' ', 'T')}Z`)
}

t.test('a moment has the local time that the zone shows', async t => {
  for (const name of zones) {
    const zone = new Zone(name)
    for (let ms = Date.UTC(2009, 11, 28); ms < Date.UTC(2013, 1); ms += 13 * 3_601_000)
      if (zone.localOf(ms) !== shown(name, ms)) t.fail(`${name} at ${new Date(ms).toISOString()}`)
    for (let ms = Date.UTC(1905, 0); ms < Date.UTC(2090, 0); ms += 20 * 86_407_000)
      if (zone.localOf(ms) !== shown(name, ms)) t.fail(`${name} at ${new Date(ms).toISOString()}`)
  }
})

t.test('a local time is the moment that JavaScript takes it for', async t => {
  const before = process.env.TZ
  t.teardown(() => {
    if (before === undefined) delete process.env.TZ
    else process.env.TZ = before
  })
  for (const name of zones) {
    process.env.TZ = name
    const zone = new Zone(name)
    for (let local = Date.UTC(2009, 11, 28); local < Date.UTC(2013, 1); local += 900_000) {
      const taken = new Date(new Date(local).toISOString().slice(0, -1)).getTime()
      if (zone.momentOf(local) !== taken) t.fail(`${name} at local ${new Date(local).toISOString()}`)
    }
  }
})

t.test('the hour that spring leaves out, and the one that autumn doubles', async t => {
  const paris = new Zone('Europe/Paris')
  const moment = (text: string) => new Date(paris.momentOf(Date.parse(`${text}Z`))).toISOString()
  t.equal(moment('2024-03-31T01:59:59'), '2024-03-31T00:59:59.000Z')
  t.equal(moment('2024-03-31T02:30:00'), '2024-03-31T01:30:00.000Z', 'is 03:30')
  t.equal(moment('2024-03-31T03:30:00'), '2024-03-31T01:30:00.000Z')
  t.equal(moment('2024-10-27T02:30:00'), '2024-10-27T00:30:00.000Z', 'the first of two')
  t.equal(moment('2024-10-27T03:00:00'), '2024-10-27T02:00:00.000Z')
  t.same(
    paris.changes(Date.UTC(2024, 0), Date.UTC(2025, 0)).map(([ms, offset]) => [new Date(ms).toISOString(), offset]),
    [
      ['2024-01-01T00:00:00.000Z', 3_600_000],
      ['2024-03-31T01:00:00.000Z', 7_200_000],
      ['2024-10-27T01:00:00.000Z', 3_600_000],
    ],
  )
})

t.test('the ends of what a Date can be', async t => {
  for (const name of ['Asia/Kolkata', 'America/New_York', '+02:00']) {
    const zone = new Zone(name)
    for (const ms of [8.64e15, -8.64e15, Date.UTC(1, 0)]) t.ok(Math.abs(zone.localOf(ms)) <= 8.64e15)
  }
})

t.test('the forms of settings', async t => {
  const nameOf = (timezone: unknown, storedTimeZone?: unknown) => storedZone({ timezone, storedTimeZone })?.name ?? null
  for (const utc of ['Z', 'UTC', 'Etc/UTC', '+00:00', '-00:00', 'GMT', undefined, null, '']) t.equal(nameOf(utc), null)
  t.equal(nameOf('+02:00'), '+02:00')
  t.equal(nameOf(' 02:00'), '+02:00', 'a plus from a URL')
  t.equal(nameOf('-0330'), '-03:30')
  t.equal(nameOf('Europe/Paris'), 'Europe/Paris')
  t.equal(nameOf('europe/paris'), 'Europe/Paris')
  t.equal(nameOf('+02:00', 'Europe/Paris'), '+02:00', 'connection.timezone wins')
  t.equal(nameOf(undefined, 'Europe/Paris'), 'Europe/Paris')
  t.equal(nameOf('', 'Europe/Paris'), 'Europe/Paris')
  const before = process.env.TZ
  process.env.TZ = 'Asia/Tokyo'
  t.equal(nameOf('local'), 'Asia/Tokyo')
  if (before === undefined) delete process.env.TZ
  else process.env.TZ = before
})

t.test('an unknown zone is refused with the nearest name', async t => {
  const refused = (settings: object, message: RegExp | string) =>
    t.throws(() => storedZone(settings as never), { code: 'PLINTH_CONFIG_INVALID', message })
  refused(
    { timezone: 'Europe/Pariss' },
    'config/database: connection.timezone: the time zone "Europe/Pariss" is not known, did you mean "Europe/Paris"?',
  )
  refused(
    { storedTimeZone: 'Berlin' },
    'config/database: storedTimeZone: the time zone "Berlin" is not known, did you mean "Europe/Berlin"?',
  )
  refused({ storedTimeZone: 'New York' }, /did you mean "America\/New_York"\?$/)
  refused({ timezone: '+99:00' }, /"\+99:00" is not known/)
  refused({ timezone: 'the zone of our office' }, /write an IANA name such as Europe\/Paris, an offset such as \+02:00/)
  refused({ storedTimeZone: 2 }, 'config/database: storedTimeZone: must be a text, found 2')
})

t.test('offsets as text', async t => {
  t.same([7_200_000, -12_600_000, 561_000, 0].map(offsetText), ['+02:00', '-03:30', '+00:09:21', '+00:00'])
})
