// Values that are no date, time or datetime (B-2.129, B-9.40): what is said of literals, and where they are; what is said of
// variables.

import t from 'tap'
import { start } from './fixtures/boot.ts'

const info = (name: string) => ({ singularName: name, pluralName: `${name}s`, displayName: name })
const dates = { day: { type: 'date' }, clock: { type: 'time' }, moment: { type: 'datetime' } }
const contentTypes = [
  {
    ...{ kind: 'collectionType', collectionName: 'events', info: info('event') },
    attributes: {
      ...dates,
      must: { type: 'time', required: true },
      slot: { type: 'component', component: 'a.slot' },
      slots: { type: 'component', component: 'a.slot', repeatable: true },
      events: { type: 'relation', relation: 'manyToMany', target: 'api::event.event' },
    },
  },
]
const components = {
  'a.slot': { collectionName: 'components_a_slots', info: { displayName: 'slot' }, attributes: dates },
}

const noDate = (text: string) => `Date cannot represent an invalid date-string ${text}.`
const noMoment = (text: string) => `DateTime cannot represent an invalid date-time-string ${text}.`
const noTime = (text: string, type = 'Time') =>
  `Expected value of type "${type}", found "${text}"; Invalid time format, expected HH:mm:ss.SSS`

t.test('literals', async t => {
  const { ask } = await start(t, { contentTypes, components })
  const create = (data: string) => `mutation { createEvent(data: { ${data} }) { data { id } } }`
  const list = (filters: string) => `{ events(filters: { ${filters} }) { data { id } } }`
  const cases: [operation: string, ...errors: [message: string, found: string][]][] = [
    // In data, nested and in lists.
    [create('day: "tomorrow"'), [noDate('tomorrow'), '"tomorrow"']],
    [create('day: "2023-02-29"'), [noDate('2023-02-29'), '"2023-02-29"']],
    [create('day: "2024-01-31T00:00:00.000Z"'), [noDate('2024-01-31T00:00:00.000Z'), '"2024']],
    [create('day: ""'), [noDate(''), '""']],
    [create('clock: "noon"'), [noTime('noon'), '"noon"']],
    [create('clock: "10:20"'), [noTime('10:20'), '"10:20"']],
    [create('clock: "25:00:00"'), [noTime('25:00:00'), '"25:']],
    [create('must: "noon"'), [noTime('noon'), '"noon"']],
    [create('moment: "now"'), [noMoment('now'), '"now"']],
    [create('moment: "2024-01-31"'), [noMoment('2024-01-31'), '"2024']],
    [create('moment: "2024-02-30T10:00:00.000Z"'), [noMoment('2024-02-30T10:00:00.000Z'), '"2024']],
    [create('slot: { day: "x" }'), [noDate('x'), '"x"']],
    [create('slots: [{ moment: "x" }, { clock: "y" }]'), [noMoment('x'), '"x"'], [noTime('y'), '"y"']],
    ['mutation { updateEvent(id: 1, data: { day: "x" }) { data { id } } }', [noDate('x'), '"x"']],
    // Other literals.
    [create('day: 5'), ['Date cannot represent non string type 5', '5']],
    [create('day: tomorrow'), ['Date cannot represent non string type tomorrow', 'tomorrow']],
    [create('moment: true'), ['DateTime cannot represent non string or Date type true', 'true']],
    [create('moment: { a: 1 }'), ['DateTime cannot represent non string or Date type false', '{ a']],
    [create('clock: 12'), ['Expected value of type "Time", found 12; Time cannot represent non string type', '12']],
    // In filters, at any depth.
    [list('day: { eq: "x" }'), [noDate('x'), '"x"']],
    [list('clock: { lt: "x" }'), [noTime('x'), '"x"']],
    [list('moment: { gte: "x" }'), [noMoment('x'), '"x"']],
    [list('day: { in: ["2024-01-31", "x"] }'), [noDate('x'), '"x"']],
    [list('clock: { between: ["10:00:00", "x"] }'), [noTime('x'), '"x"']],
    [list('moment: { not: { eq: "x" } }'), [noMoment('x'), '"x"']],
    [list('or: [{ events: { and: [{ day: { ne: "x" } }] } }]'), [noDate('x'), '"x"']],
    [
      '{ events { data { attributes { events(filters: { moment: { eq: "x" } }) { data { id } } } } } }',
      [noMoment('x'), '"x"'],
    ],
    // Defaults of variables.
    ['query($d: Date = "x") { events(filters: { day: { eq: $d } }) { data { id } } }', [noDate('x'), '"x"']],
    ['query($d: [Time] = ["x"]) { events(filters: { clock: { in: $d } }) { data { id } } }', [noTime('x'), '"x"']],
    [
      'mutation($e: EventInput! = { slot: { moment: "x" } }) { createEvent(data: $e) { data { id } } }',
      [noMoment('x'), '"x"'],
    ],
  ]
  for (const [operation, ...errors] of cases)
    for (const again of [operation, operation]) {
      const { status, body } = await ask(again)
      t.equal(status, 400, operation)
      t.same(
        body.errors,
        errors.map(([message, found]) => ({
          message,
          locations: [{ line: 1, column: operation.lastIndexOf(found) + 1 }],
          extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
        })),
        operation,
      )
    }
  t.match((await ask(`# first line\n  ${create('day: "x"')}`)).body.errors, [{ locations: [{ line: 2 }] }])
})

t.test('variables', async t => {
  const { ask } = await start(t, { contentTypes, components })
  const cases: [type: string, value: unknown, message: string][] = [
    ['Date', 'x', `Variable "$v" got invalid value "x"; ${noDate('x')}`],
    ['Date', 5, 'Variable "$v" got invalid value 5; Date cannot represent non string type 5'],
    ['DateTime', 'x', `Variable "$v" got invalid value "x"; ${noMoment('x')}`],
    [
      'Time',
      'x',
      'Variable "$v" got invalid value "x"; Expected type "Time". Invalid time format, expected HH:mm:ss.SSS',
    ],
    ['Time', 5, 'Variable "$v" got invalid value 5; Expected type "Time". Expected a string, got a number'],
    ['[Date]', ['2024-01-31', 'x'], `Variable "$v" got invalid value "x" at "v[1]"; ${noDate('x')}`],
  ]
  const attribute = { Date: 'day', DateTime: 'moment', Time: 'clock' } as Record<string, string>
  for (const [type, v, message] of cases) {
    const name = attribute[type.replaceAll(/\W/g, '')]!
    const { status, body } = await ask(
      `query($v: ${type}) { events(filters: { ${name}: { ${type.startsWith('[') ? 'in' : 'eq'}: $v } }) { data { id } } }`,
      { v },
    )
    t.match(
      { status, errors: body.errors },
      { status: 400, errors: [{ message, extensions: { code: 'BAD_USER_INPUT' } }] },
    )
    t.equal(body.errors[0].message, message)
  }
})

t.test('what is one', async t => {
  const { ask } = await start(t, { contentTypes, components })
  const create = (data: string) =>
    `mutation { createEvent(data: { must: "01:02:03", ${data} }) { data { attributes { day clock moment } } } }`
  for (const [data, shown] of [
    ['day: "2024-02-29"', { day: '2024-02-29' }],
    ['clock: "10:20:30"', { clock: '10:20:30.000' }],
    ['clock: "10:20:30.5"', { clock: '10:20:30.500' }],
    ['moment: "2024-02-29T10:20:30Z"', { moment: '2024-02-29T10:20:30.000Z' }],
    ['moment: "2024-02-29T10:20:30+02:00"', { moment: '2024-02-29T08:20:30.000Z' }],
    ['day: null, clock: null, moment: null', { day: null, clock: null, moment: null }],
  ] as const)
    t.match((await ask(create(data))).body, { data: { createEvent: { data: { attributes: shown } } } }, data)
})
