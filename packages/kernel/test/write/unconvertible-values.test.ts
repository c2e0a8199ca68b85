// Values whose conversion throws, such as {"toString":1}: hooks can convert all data that they receive, valid data
// arrives as it was sent, and the answer is that of the value without such members.

import t, { type Test } from 'tap'
import { createContext, type Kernel, type LifecycleEvent, openAccess } from '../../src/index.ts'
import { boot, component, type, uid } from '../fixtures/boot.ts'

const relation = { type: 'relation', relation: 'oneToMany', target: uid('thing') }

/** Converts everything that conversions of a hook may reach. */
function convertAll(value: unknown, seen = new Set<unknown>()): void {
  String(value)
  Number(value)
  void `${value}`
  if (value === null || typeof value !== 'object' || seen.has(value)) return
  seen.add(value)
  for (const [name, inner] of Object.entries(value)) if (name !== 'payload') convertAll(inner, seen)
}

async function start(t: Test, received: (data: Record<string, unknown>) => void = () => {}) {
  const kernel = await boot(t, {
    components: {
      'a.part': component('a.part', { label: { type: 'string' }, payload: { type: 'json' }, links: relation }),
    },
    contentTypes: [
      type('thing', {
        name: { type: 'string' },
        whole: { type: 'integer' },
        big: { type: 'biginteger' },
        flag: { type: 'boolean' },
        kind: { type: 'enumeration', enum: ['a'] },
        moment: { type: 'datetime' },
        payload: { type: 'json' },
        links: relation,
        any: { type: 'relation', relation: 'morphToMany' },
        part: { type: 'component', component: 'a.part' },
        parts: { type: 'component', component: 'a.part', repeatable: true },
        zone: { type: 'dynamiczone', components: ['a.part'] },
      }),
    ],
    configure: kernel => {
      kernel.hooks.on('preWrite', write => {
        received(write.data)
        convertAll(write.data)
      })
      kernel.lifecycles.subscribe([uid('thing')], {
        beforeCreate: ({ params }: LifecycleEvent) => convertAll(params.data),
        beforeUpdate: ({ params }: LifecycleEvent) => convertAll(params.data),
      })
    },
  })
  await kernel.query(uid('thing')).create({ data: { name: 'first', part: { label: 'l' }, parts: [{ label: 'l' }] } })
  return kernel
}

/** 200 or the status and words of the refusal; 500 for what is none. */
async function answerOf(
  kernel: Kernel,
  method: 'create' | 'update',
  data: unknown,
): Promise<Record<string, unknown> & { status: number }> {
  const things = kernel.query(uid('thing'), createContext(openAccess))
  try {
    const entry = await (method === 'create' ? things.create({ data }) : things.update(1, { data }))
    return { status: 200, ...entry, id: 0, updatedAt: 0, createdAt: 0 }
  } catch (error) {
    const { name, message, status = 500, details } = error as Error & { status?: number; details: unknown }
    return { name, message, status, details }
  }
}

/** Bodies with a value in every place where something is read. */
const bodies: readonly ((value: unknown) => Record<string, unknown>)[] = [
  ...['name', 'whole', 'big', 'flag', 'kind', 'moment', 'links', 'any', 'part', 'parts', 'zone', 'nobody', 'id'].map(
    name => (value: unknown) => ({ [name]: value }),
  ),
  ...['name', 'whole', 'big', 'flag', 'kind', 'moment', 'nobody'].flatMap(name => [
    (value: unknown) => ({ [name]: [value] }),
    (value: unknown) => ({ [name]: [[1, value]] }),
  ]),
  value => ({ links: [value] }),
  value => ({ links: { id: value } }),
  value => ({ links: [{ id: value }] }),
  value => ({ links: { set: value } }),
  value => ({ links: { set: [{ id: value }] } }),
  value => ({ links: { connect: value } }),
  value => ({ links: { connect: [value], disconnect: [value] } }),
  value => ({ links: { disconnect: [{ id: value }] } }),
  value => ({ links: { connect: [{ id: 1, position: value }] } }),
  value => ({ links: { connect: [{ id: 1, position: { before: value } }] } }),
  value => ({ links: { connect: [{ id: 1, position: { after: { id: value } } }] } }),
  value => ({ links: { connect: [{ id: 1, position: { before: [[value]] } }] } }),
  value => ({ any: [{ id: 1, __type: value }] }),
  value => ({ any: { connect: [{ id: 1, type: value }] } }),
  value => ({ any: { connect: [{ id: 1, __type: uid('thing'), position: { before: 1, __type: value } }] } }),
  value => ({ part: { id: value } }),
  value => ({ part: { label: value } }),
  value => ({ part: { links: [{ id: value }] } }),
  value => ({ parts: [value] }),
  value => ({ parts: [{ id: value }, { id: [value] }] }),
  value => ({ zone: [value] }),
  value => ({ zone: [{ __component: value }] }),
  value => ({ zone: [{ __component: 'a.part', id: value, label: value }] }),
]

t.test('hooks can convert all values, and such members do not change the answer', async t => {
  const kernel = await start(t)
  const rows: readonly (readonly [value: unknown, plain: unknown])[] = [
    [{ toString: 1 }, {}],
    [{ toString: 1, valueOf: 1 }, {}],
    [{ toString: null, id: 1 }, { id: 1 }],
    [{ toString: { toString: 1 }, valueOf: { valueOf: 1 } }, {}],
    [JSON.parse('{"toString":{"a":1},"valueOf":"x","id":{"toString":[]}}'), { id: {} }],
    [Object.create(null), {}],
  ]
  for (const [value, plain] of rows) {
    for (const body of bodies) {
      for (const method of ['create', 'update'] as const) {
        const answer = await answerOf(kernel, method, body(value))
        t.ok([200, 400].includes(answer.status), `${method} ${JSON.stringify(body(value))}`, { answer })
        t.same(answer, await answerOf(kernel, method, body(plain)))
      }
    }
  }
  for (const hidden of [1, { toString: 1 }, [{ toString: 1 }]])
    t.match(await answerOf(kernel, 'create', { toString: hidden, valueOf: hidden, name: 'ok' }), {
      status: 200,
      name: 'ok',
    })
})

t.test('values that are not JSON are accepted or refused', async t => {
  const kernel = await start(t)
  const cycle: Record<string, unknown> = { id: 1 }
  cycle.self = cycle
  const list: unknown[] = []
  list.push(list)
  for (const value of [cycle, 5n, () => 1, list])
    for (const name of ['name', 'whole', 'flag', 'kind', 'big', 'links'])
      t.ok([200, 400].includes((await answerOf(kernel, 'update', { [name]: value })).status), `${typeof value} ${name}`)
})

t.test('hooks receive valid data as it was sent', async t => {
  let seen: Record<string, unknown> = {}
  const kernel = await start(t, data => {
    seen = data
  })
  const sent = {
    name: 'n',
    moment: new Date(0),
    links: { connect: [{ id: 1, position: { end: true } }] },
    parts: [{ label: 'l', links: [1, '1'] }],
    zone: [{ __component: 'a.part', label: 'z', payload: { toString: 1 } }],
    payload: { toString: 1, deep: [{ valueOf: 1 }] },
    nobody: { a: 1 },
  }
  await kernel.query(uid('thing')).create({ data: sent })
  t.same(Object.keys(seen), Object.keys(sent))
  for (const [name, value] of Object.entries(sent)) t.equal(seen[name], value, name)
  const entry = await kernel.query(uid('thing')).findOne(2, { populate: ['zone'] })
  t.same(entry!.payload, sent.payload, 'JSON attributes hold anything')
  t.match(entry, { zone: [{ payload: { toString: 1 } }] })
})

t.test('an attribute can have the name of a method of Object', async t => {
  const kernel = await boot(t, {
    contentTypes: [type('odd', { valueOf: { type: 'string' }, name: { type: 'string' } })],
  })
  const odds = kernel.query(uid('odd'), createContext(openAccess))
  t.match(await odds.create({ data: { valueOf: 'v', toString: 1, name: 'n' } }), { valueOf: 'v', name: 'n' })
})
