// Deliveries: again after failures, at last as dead letters, and in the order of each entry, whatever processes there are.

import type { ServerResponse } from 'node:http'
import { until } from '@plinth/test-tools/command'
import t from 'tap'
import { pauseAfter } from '../src/courier.ts'
import { laneOf, type NewRow, Outbox } from '../src/outbox.ts'
import { drained, endClaims, fresh, start, uid } from './fixtures/boot.ts'
import { accept, receive, type Sent, wordsOf } from './fixtures/receiver.ts'

const refuse = (status: number) => (response: ServerResponse) => void response.writeHead(status).end()

t.test('what fails is sent again, and nothing of the entry before it', async t => {
  const { url, all, answer, came } = await receive(t, refuse(500))
  const { kernel, notes, log } = await start(t, { hooks: { site: { url } } })
  await notes.create({ data: { n: 0 } })
  await notes.create({ data: { n: 0 } })
  for (let n = 1; n <= 3; n++) await notes.update(1, { data: { n } })
  await came(6)
  t.same([...new Set(all.map(wordsOf))].sort(), ['entry.create 1', 'entry.create 2'], 'only the first of each')
  t.equal(new Set(all.map(one => one.id)).size, 2, 'each with one id')
  answer(accept)
  await drained(kernel)
  const ofOne = all.filter(one => one.body.entry.id === 1)
  t.same([...new Map(ofOne.map(one => [one.id, one.body.entry.n])).values()], [0, 1, 2, 3])
  t.equal(log.filter(line => line.includes('answered with 500')).length, 1, 'the log has the first failure')
})

t.test('after the last attempt it is a dead letter, and the next one is sent', async t => {
  const isBad = ({ body }: Sent) => body.entry.n === 1
  const { url, all, answer } = await receive(
    t,
    (response, sent) => void response.writeHead(isBad(sent) ? 503 : 200).end(),
  )
  const { kernel, notes, log } = await start(t, { hooks: { site: { url } }, config: { attempts: 3 } })
  await notes.create({ data: { n: 1 } })
  await notes.update(1, { data: { n: 2 } })
  await drained(kernel)
  t.same(
    all.map(one => one.body.entry.n),
    [1, 1, 1, 2],
  )
  t.match(await kernel.knex('webhooks_dead'), [
    { hook: 'site', event: 'entry.create', attempts: 3, fault: 'answered with 503' },
  ])
  t.ok(log.some(line => /"site": entry\.create of api::note\.note 1 was given up after 3 attempts/.test(line)))
  for (const line of log) t.notMatch(line, /secret-path/)
  answer(accept)
})

t.test('pauses grow', async t => {
  const between = (value: number, least: number) =>
    t.ok(value >= least && value <= least * 1.1 + 1, `${value} for ${least}`)
  between(pauseAfter(1, 5000, null), 5000)
  between(pauseAfter(2, 5000, null), 10_000)
  between(pauseAfter(5, 5000, null), 80_000)
  between(pauseAfter(30, 5000, null), 3_600_000)
  t.equal(pauseAfter(1, 5000, 60), 60_000, 'what the receiver asks for')
  between(pauseAfter(1, 5000, 1), 5000)
  t.equal(pauseAfter(1, 5000, 999_999), 3_600_000)
})

t.test('a receiver that is slow to answer one entry does not hold the others', async t => {
  const { url, came, all } = await receive(t, (response, { body }) => {
    if (body.entry.id !== 1) response.end()
  })
  const { kernel, notes } = await start(t, { hooks: { site: { url } }, config: { timeout: 10 } })
  for (let i = 0; i < 5; i++) await notes.create({ data: { n: i } })
  await came(5)
  await notes.update(2, { data: { n: 9 } })
  await came(6)
  t.equal(all.filter(one => one.body.entry.id === 1).length, 1)
  t.equal((await kernel.knex('webhooks_outbox')).length >= 1, true)
})

t.test('another process delivers what one has left', async t => {
  const database = await fresh(t)
  const { url, all, came } = await receive(t, () => {})
  const hooks = { site: { url } }
  const first = await start(t, { on: database, hooks, config: { timeout: 10 } })
  await first.notes.create({ data: { n: 1 } })
  await came(1)
  const closing = first.close()
  const second = await start(t, { on: database, hooks: { site: { url, enabled: false } } })
  await closing
  await second.notes.update(1, { data: { n: 2 } })
  t.match(await second.kernel.knex('webhooks_outbox'), [{ attempts: 0, claim: null }], 'given back, and not counted')
  await second.close()
  all.length = 0
  const other = await receive(t)
  const third = await start(t, { on: database, hooks: { site: { url: other.url } } })
  await drained(third.kernel)
  t.same(other.all.map(wordsOf), ['entry.create 1'])
})

t.test('a claim ends with its time', async t => {
  const database = await fresh(t)
  const { url, all } = await receive(t)
  const off = await start(t, {
    on: database,
    hooks: { site: { url, events: ['entry.create'] } },
    config: { pollEvery: 300 },
  })
  await off.close()
  const { kernel, notes } = await start(t, { on: database, hooks: { site: { url } } })
  await kernel.transaction(async tx => {
    await notes.create({ data: { n: 1 } })
    await tx.knex('webhooks_outbox').update({ claim: 'of another one', claimed_until: Date.now() + 3_600_000 })
  })
  await notes.create({ data: { n: 2 } })
  while (all.length === 0) await new Promise(resolve => setTimeout(resolve, 10))
  await notes.update(1, { data: { n: 3 } })
  await notes.create({ data: { n: 4 } })
  while (all.length < 2) await new Promise(resolve => setTimeout(resolve, 10))
  t.same(
    all.map(one => one.body.entry.n),
    [2, 4],
    'what another process has is left to it, and what follows it',
  )
  await endClaims(kernel)
  await drained(kernel)
  t.same(
    all.map(one => one.body.entry.n),
    [2, 4, 1, 3],
  )
})

t.test('what is under way when a process closes is settled, and the rest is given back', async t => {
  const database = await fresh(t)
  const first = Promise.withResolvers<ServerResponse>()
  const { url, all, answer } = await receive(t, response => first.resolve(response))
  const hooks = { site: { url } }
  const one = await start(t, { on: database, hooks, config: { concurrency: 1, timeout: 10 } })
  for (let n = 1; n <= 3; n++) await one.notes.create({ data: { n } })
  await until(
    async () => (await one.kernel.knex('webhooks_outbox').whereNotNull('claim')).length > 1,
    () => 'the next one claimed by this process',
  )
  const response = await first.promise
  const closing = one.close()
  response.end('ok')
  await closing
  t.equal(all.length, 1, 'nothing is sent any more')
  const off = await start(t, { on: database, hooks: { site: { url, enabled: false } } })
  t.match(await off.kernel.knex('webhooks_outbox').orderBy('id'), [
    { entry: 2, claim: null, attempts: 0 },
    { entry: 3, claim: null, attempts: 0 },
  ])
  await off.close()
  answer(accept)
  const { kernel } = await start(t, { on: database, hooks })
  await drained(kernel)
  t.same(
    all.map(sent => sent.body.entry.n),
    [1, 2, 3],
    'each once',
  )
})

/** Events of so many entries that no write has caused. */
const eventsOf = (count: number): NewRow[] =>
  Array.from({ length: count }, (_, i) => {
    const entry = 1000 + i
    const body = JSON.stringify({ event: 'entry.update', entry: { id: entry } })
    return { hook: 'site', lane: laneOf('site', uid, entry), event: 'entry.update', uid, entry, body }
  })

t.test('thousands that wait to be sent again do not hold up the others', async t => {
  const database = await fresh(t)
  const { url, all, came } = await receive(t)
  const off = await start(t, { on: database, hooks: { site: { url, enabled: false } } })
  await off.kernel.transaction(async tx => {
    await new Outbox(off.kernel, 1000).add(tx, eventsOf(4200))
    await tx.knex('webhooks_outbox').update({ due_at: Date.now() + 3_600_000, attempts: 1 })
  })
  await off.close()
  const { kernel, notes } = await start(t, { on: database, hooks: { site: { url } } })
  await notes.create({ data: { n: 1 } })
  await notes.update(1, { data: { n: 2 } })
  await came(2)
  t.same(all.map(wordsOf), ['entry.create 1', 'entry.update 1'])
  await until(
    async () => (await kernel.knex('webhooks_outbox').select('id')).length === 4200,
    () => 'the others still waiting',
  )
})

t.test('a claim is long enough for a request, however short its time limit is', async t => {
  const { kernel } = await start(t)
  for (const timeout of [1, 1000]) {
    const outbox = new Outbox(kernel, timeout)
    await kernel.transaction(tx => outbox.add(tx, eventsOf(1)))
    const [row] = await outbox.claim('site', 1)
    const [stored] = await kernel.knex('webhooks_outbox')
    t.ok(Number(stored.claimed_until) - row!.sendBefore >= 2 * timeout)
    t.ok(row!.sendBefore >= Number(stored.noted_at) + timeout, 'and there is time to begin with it')
    await outbox.settle([row!])
  }
})

t.test('dead letters are deleted after their time', async t => {
  const database = await fresh(t)
  const first = await start(t, { on: database })
  const day = 86_400_000
  const old = eventsOf(4).map((row, i) => {
    const time = Date.now() - (28 + i) * day
    return { ...row, delivery: String(i), noted_at: time, died_at: time, attempts: 16 }
  })
  await first.kernel.transaction(async tx => void (await tx.knex('webhooks_dead').insert(old)))
  await first.close()
  const { kernel } = await start(t, { on: database, config: { keepDeadFor: 29.5 } })
  const left = async (): Promise<unknown[]> => kernel.knex('webhooks_dead').orderBy('id').pluck('delivery')
  await until(
    async () => (await left()).length < 4,
    () => 'fewer dead letters',
  )
  t.same(await left(), ['0', '1'])
})

t.test('texts in a database with another character set', async t => {
  const database = await fresh(t)
  if (database.client === 'mysql') {
    const opened = await database.open()
    await opened.run(`ALTER DATABASE ${database.config.connection.database} CHARACTER SET latin1`)
    await opened.close()
  }
  const { url, all } = await receive(t)
  const { kernel } = await start(t, { on: database, hooks: { site: { url } } })
  const entry = { id: 1, title: '日本 😀 "\u2028\\u1234 \ud800' }
  const body = JSON.stringify({ event: 'entry.update', entry })
  const row = { hook: 'site', lane: laneOf('site', uid, 1), event: 'entry.update', uid, entry: 1, body }
  await kernel.transaction(tx => new Outbox(kernel, 1000).add(tx, [row]))
  await drained(kernel)
  t.same(
    all.map(one => one.text),
    [body],
  )
})
