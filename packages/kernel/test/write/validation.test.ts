// Values of entries: accepted ones, and refused ones with v4's messages and paths (B-4.8 to B-4.27, B-5.20 to B-5.22).

import t, { type Test } from 'tap'
import { boot, component, repositories, thrown, type, uid } from '../fixtures/boot.ts'
import { passwords } from '../fixtures/passwords.ts'

const components = {
  'a.part': component('a.part', { label: { type: 'string', required: true, maxLength: 4 } }),
  'a.open': component('a.open', { count: { type: 'integer' } }),
  'a.key': component('a.key', { name: { type: 'string' }, pin: { type: 'integer', private: true } }),
  'a.nest': component('a.nest', { key: { type: 'component', component: 'a.key' } }),
}
const attributes = {
  name: { type: 'string', required: true, minLength: 3, maxLength: 6 },
  code: { type: 'string', regex: '^x' },
  strict: { type: 'string', regex: '^x', required: true, default: 'x' },
  long: { type: 'text' },
  mail: { type: 'email' },
  handle: { type: 'uid' },
  kind: { type: 'enumeration', enum: ['a', 'b'] },
  whole: { type: 'integer', min: -5, max: 50 },
  ratio: { type: 'float', min: 0.5 },
  amount: { type: 'decimal', max: '10.5' },
  big: { type: 'biginteger', min: '5' },
  flag: { type: 'boolean', default: true },
  day: { type: 'date' },
  clock: { type: 'time' },
  moment: { type: 'datetime' },
  stamp: { type: 'timestamp' },
  payload: { type: 'json' },
  blocks: { type: 'blocks' },
  pass: { type: 'password', minLength: 6, private: true },
  secret: { type: 'string', private: true },
  hidden: { type: 'integer', private: true },
  part: { type: 'component', component: 'a.part' },
  shut: { type: 'component', component: 'a.open', private: true },
  keys: { type: 'component', component: 'a.key', repeatable: true },
  zone: { type: 'dynamiczone', components: ['a.open', 'a.nest'] },
  other: { type: 'relation', relation: 'oneToOne', target: uid('thing') },
}
const contentTypes = [type('thing', attributes)]
const start = async (t: Test) => repositories(await boot(t, { components, contentTypes, plugins: passwords }))('thing')

const wrong = (name: string, kind: string, value: string) =>
  `${name} must be a \`${kind}\` type, but the final value was: \`${value}\``
const cast = (name: string, value: string) => `${wrong(name, 'number', 'NaN')} (cast from the value \`${value}\`).`
const uidForm = 'handle must match the following: "/^[A-Za-z0-9-_.~]*$/"'
const moment = 'Invalid format, expected a timestamp or an ISO date'
const clock = 'Invalid time format, expected HH:mm:ss.SSS'

t.test('accepted values, and what is stored', async t => {
  const things = await start(t)
  const node = { type: 'paragraph', children: [{ type: 'text', text: 'x' }] }
  const rows: readonly (readonly [attribute: string, sent: unknown, read: unknown])[] = [
    ['long', '', ''],
    ['code', '', ''],
    ['mail', 'a.b+c@example.org', 'a.b+c@example.org'],
    ['handle', 'A-z_0.9~', 'A-z_0.9~'],
    ['handle', null, null],
    ['kind', 'b', 'b'],
    ['kind', null, null],
    ['whole', '12', 12],
    ['whole', -5, -5],
    ['ratio', '1.5', 1.5],
    ['amount', 10.5, 10.5],
    ['big', 12, '12'],
    ['big', '123456789012345678', '123456789012345678'],
    ['big', '1', '1'],
    ['flag', 'false', false],
    ['flag', 0, false],
    ['flag', 1, true],
    ['flag', null, null],
    ['day', '2024-02-29', '2024-02-29'],
    ['day', '2024-02-29T23:00:00.000Z', '2024-02-29'],
    ['clock', '10:20:30', '10:20:30.000'],
    ['clock', '10:20:30.12', '10:20:30.120'],
    ['moment', '2024-01-02', '2024-01-02T00:00:00.000Z'],
    ['moment', '2024-01-02 03:04:05', '2024-01-02T03:04:05.000Z'],
    ['moment', '2024-01-02T03:04:05+02:00', '2024-01-02T01:04:05.000Z'],
    ['moment', '1704164645678', '2024-01-02T03:04:05.678Z'],
    ['stamp', 1704164645678, '1704164645678'],
    ['payload', [1, 'x', null], [1, 'x', null]],
    ['payload', 'text', 'text'],
    ['blocks', [node], [node]],
    ['blocks', 'text', null],
    ['other', null, undefined],
  ]
  for (const [attribute, sent, read] of rows) {
    const entry = await things.create({ data: { name: 'abcd', [attribute]: sent } })
    t.same(entry[attribute], read, `${attribute}: ${JSON.stringify(sent)}`)
  }
})

t.test('refused values', async t => {
  const things = await start(t)
  const rows: readonly (readonly [attribute: string, sent: unknown, message: string])[] = [
    ['name', 5, `${wrong('name', 'string', '5')}.`],
    ['name', null, `${wrong('name', 'string', 'null')}.`],
    ['name', 'ab', 'name must be at least 3 characters'],
    ['name', '', 'name must be at least 3 characters'],
    ['name', 'abcdefg', 'name must be at most 6 characters'],
    ['long', true, `${wrong('long', 'string', 'true')}.`],
    ['code', 'y', 'code must match the following: "/^x/"'],
    ['strict', '', 'strict must match the following: "/^x/"'],
    ['mail', 'nobody', 'mail must be a valid email'],
    ['mail', '', 'mail cannot be empty'],
    ['handle', 'a b', uidForm],
    ['handle', 'ä', uidForm],
    ['kind', 'c', 'kind must be one of the following values: a, b, '],
    ['kind', '', 'kind must be one of the following values: a, b, '],
    ['whole', 1.5, 'whole must be an integer'],
    ['whole', 'abc', cast('whole', '"abc"')],
    ['whole', -6, 'whole must be greater than or equal to -5'],
    ['whole', '51', 'whole must be less than or equal to 50'],
    ['ratio', 0.4, 'ratio must be greater than or equal to 0.5'],
    ['amount', 11, 'amount must be less than or equal to 10.5'],
    ['flag', 'yes', `${wrong('flag', 'boolean', '"yes"')}.`],
    ['pass', 'short', 'pass must be at least 6 characters'],
    ['pass', 'é'.repeat(37), 'pass must be at most 72 bytes'],
    ['pass', { a: 'a-password' }, 'pass must be a `string` type'],
    ['secret', ['a secret'], 'secret must be a `string` type'],
    ['hidden', 'a secret', 'hidden must be a `number` type'],
    ['other', 99, '1 relation(s) of type api::thing.thing associated with this entity do not exist'],
  ]
  for (const [attribute, sent, message] of rows) {
    const error = await thrown(t, () => things.create({ data: { name: 'abcd', [attribute]: sent } }))
    t.match(error, { name: 'ValidationError', status: 400, message }, `${attribute}: ${JSON.stringify(sent)}`)
    const path = attribute === 'other' ? [] : [attribute]
    t.same(error.details, { errors: [{ path, message, name: 'ValidationError' }] })
  }
  const dates: readonly (readonly [attribute: string, sent: unknown, message: string])[] = [
    ['day', '2024', 'Invalid format, expected yyyy-MM-dd'],
    ['day', '', 'Invalid format, expected yyyy-MM-dd'],
    ['day', 20240101, 'Invalid format, expected yyyy-MM-dd'],
    ['day', '2023-02-29', 'Invalid date'],
    ['clock', '10:20', clock],
    ['clock', '25:00:00', clock],
    ['clock', '10:20:30.1234', clock],
    ['clock', '', clock],
    ['moment', 'tomorrow', moment],
    ['moment', '', moment],
    ['moment', '2023-02-30T00:00:00Z', moment],
    ['stamp', 'x', moment],
  ]
  for (const [attribute, sent, message] of dates) {
    const error = await thrown(t, () => things.create({ data: { name: 'abcd', [attribute]: sent } }))
    t.match(error, { name: 'ValidationError', status: 400, message }, `${attribute}: ${JSON.stringify(sent)}`)
    t.same(error.details, {})
  }
  t.equal(await things.count(), 0)
})

t.test('all faults together, in schema order, then those of the entry', async t => {
  const things = await start(t)
  const blocks = [{ type: 'paragraph', children: [] }, { type: 'nothing' }]
  const data = { other: 99, part: { label: 'abcdef' }, blocks, whole: 99.5, code: 5, moment: 'never' }
  const { message, details } = await thrown(t, () => things.create({ data }))
  t.equal(message, '7 errors occurred')
  const faults = (details as { errors: { path: string[]; message: string; name: string }[] }).errors
  t.same(
    faults.map(one => [one.path.join('.'), one.message]),
    [
      ['name', 'name must be defined.'],
      ['code', `${wrong('code', 'string', '5')}.`],
      ['whole', 'whole must be an integer'],
      ['whole', 'whole must be less than or equal to 50'],
      ['blocks.1', 'Block node is of invalid type'],
      ['part.label', 'part.label must be at most 4 characters'],
      ['', '1 relation(s) of type api::thing.thing associated with this entity do not exist'],
    ],
  )
  t.ok(faults.every(one => one.name === 'ValidationError'))
  for (const wrongData of [undefined, null, [], 'x'])
    t.match(await thrown(t, () => things.create({ data: wrongData })), {
      status: 400,
      details: { errors: [{ path: [] }] },
    })
})

t.test('system attributes, defaults, and partial updates', async t => {
  const things = await start(t)
  const sent = { id: 50, createdAt: 0, updatedAt: 0, createdBy: 1, nothing: 1, __proto__: null }
  const made = await things.create({ data: { name: 'abcd', secret: 's', pass: 'secret', ...sent } })
  t.match(made, { id: 1, flag: true, strict: 'x', kind: null, createdAt: made.updatedAt })
  t.notMatch(made, { createdAt: '1970-01-01T00:00:00.000Z' })
  t.notOk(['nothing', 'createdBy'].some(name => name in made))
  await things.update(1, { data: { flag: null } })
  await new Promise(resolve => setTimeout(resolve, 2))
  const changed = (await things.update(1, { data: { createdAt: 0, long: 'x' } }))!
  t.match(changed, { flag: null, name: 'abcd', long: 'x', createdAt: made.createdAt })
  t.ok(String(changed.updatedAt) > String(made.updatedAt))
  t.equal(await things.update(9, { data: {} }), null)
  t.equal(await things.delete(9), null)
  t.match(await thrown(t, () => things.update(1, { data: { name: null } })), {
    message: `${wrong('name', 'string', 'null')}.`,
  })
})

t.test('values that are not numbers or booleans are refused', async t => {
  const kernel = await boot(t, {
    contentTypes: [type('thing', { big: { type: 'biginteger' }, flag: { type: 'boolean' } })],
  })
  const things = repositories(kernel)('thing')
  for (const big of [{}, { a: 1 }, [], [1, 2], [{}], [[1]], Number.POSITIVE_INFINITY, Number.NaN])
    t.match(await thrown(t, () => things.create({ data: { big } })), {
      status: 400,
      details: { errors: [{ path: ['big'], message: 'big must be a 64-bit whole number' }] },
    })
  for (const flag of [[true], ['1'], [1], {}])
    t.match(await thrown(t, () => things.create({ data: { flag } })), { details: { errors: [{ path: ['flag'] }] } })
  for (const big of [5, '5', [5]]) t.match(await things.create({ data: { big } }), { big: '5' })
})

t.test('security.md A.5: messages do not repeat what is secret', async t => {
  const things = await start(t)
  const messageOf = async (data: object) =>
    (await thrown(t, () => things.create({ data: { name: 'abc', ...data } }))).message
  const nest = (key: unknown) => ({ zone: [{ __component: 'a.open' }, { __component: 'a.nest', key }] })
  for (const data of [
    { pass: ['KNOWN'] },
    { hidden: 'KNOWN' },
    { shut: 'KNOWN' },
    { shut: ['KNOWN'] },
    { shut: { count: 'KNOWN' } },
    { keys: { pin: 'KNOWN' } },
    { keys: [[{ pin: 'KNOWN' }]] },
    { keys: [{}, { pin: 'KNOWN' }] },
    { zone: { __component: 'a.nest', key: { pin: 'KNOWN' } } },
    nest([{ pin: 'KNOWN' }]),
    nest({ pin: 'KNOWN' }),
  ])
    t.match(await messageOf(data), /^[^`]* must be a `\w+` type$/, JSON.stringify(data))
  t.equal(await messageOf({ keys: 'shown' }), `${wrong('keys', 'array', '"shown"')}.`)
  t.equal(await messageOf({ keys: {} }), `${wrong('keys', 'array', '{}')}.`, 'nothing in it is secret')
  t.equal(await messageOf(nest({ name: {} })), `${wrong('zone[1].key.name', 'string', '{}')}.`)
  t.equal(await messageOf({ part: ['shown'] }), `${wrong('part', 'object', '[\n  "\\"shown\\""\n]')}.`)
})
