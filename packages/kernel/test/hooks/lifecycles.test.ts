// v4's lifecycles: the order of events, what they may change, and what is refused (B-10.70 to B-10.73).

import t, { type Test } from 'tap'
import type { Kernel, LifecycleEvent } from '../../src/index.ts'
import { boot, folder, notes, raw, repositories, thrown, type, uid } from '../fixtures/boot.ts'

const verbs = ['Create', 'Update', 'Delete', 'FindOne', 'FindMany', 'Count']
const names = verbs.flatMap(verb => [`before${verb}`, `after${verb}`])
const contentTypes = [type('tag', { name: { type: 'string' }, rank: { type: 'integer' } }), type('word', {})]

type Functions = Record<string, (event: LifecycleEvent) => unknown>

/** The functions are subscribed before the start, and recorded once there are entries. */
async function start(t: Test, functions: Functions) {
  let isRecording = false
  const received = Object.entries(functions).map(([name, fn]) => [
    name,
    (event: LifecycleEvent) => (isRecording ? fn(event) : undefined),
  ])
  const listen = ({ lifecycles }: Kernel) => lifecycles.subscribe([uid('tag')], Object.fromEntries(received))
  const kernel = await boot(t, { contentTypes, configure: listen })
  const tags = repositories(kernel)('tag')
  for (const [name, rank] of [
    ['b', 1],
    ['a', 2],
  ])
    await tags.create({ data: { name, rank } })
  isRecording = true
  return { kernel, tags }
}

t.test('the events of every action', async t => {
  const received: LifecycleEvent[] = []
  const listeners = Object.fromEntries(
    names.map(name => [name, (event: LifecycleEvent) => void received.push({ ...event })]),
  )
  const { kernel, tags } = await start(t, listeners)
  const pair = (verb: string) => [`before${verb}`, `after${verb}`]
  const around = (verb: string) => [`before${verb}`, ...pair('FindOne'), `after${verb}`]
  const rows: readonly (readonly [work: () => Promise<unknown>, events: readonly string[]])[] = [
    [() => tags.create({ data: { name: 'c' } }), around('Create')],
    [() => tags.findPage(), [...pair('FindMany'), ...pair('Count')]],
    [() => tags.findOne(1), pair('FindOne')],
    [() => tags.count(), pair('Count')],
    [() => repositories(kernel)('word').create({ data: {} }), []],
  ]
  for (const [work, events] of rows) {
    received.length = 0
    await work()
    t.same(
      received.map(one => one.action),
      events,
      String(work),
    )
    t.ok(received.every(one => one.model.uid === uid('tag')))
  }
  for (const [work, verb] of [
    [() => tags.update(1, { data: {} }), 'Update'],
    [() => tags.delete(1), 'Delete'],
  ] as const) {
    received.length = 0
    await work()
    const actions = received.map(one => one.action)
    t.same(actions.slice(0, 3), [...pair('FindOne'), `before${verb}`])
    t.equal(actions.at(-1), `after${verb}`)
  }
  received.length = 0
  await tags.update(9, { data: {} })
  t.notOk(
    received.some(one => one.action === 'afterUpdate'),
    'there was nothing to update',
  )
})

t.test('the properties of an event', async t => {
  const received = new Map<string, LifecycleEvent>()
  const note = (event: LifecycleEvent) => {
    if (event.action.startsWith('before')) event.state.from = event.action
    received.set(event.action, { ...event, params: { ...event.params } })
  }
  const { tags } = await start(t, Object.fromEntries(names.map(name => [name, note])))
  await tags.create({ data: { name: 'c' }, fields: ['name'] })
  t.match(received.get('beforeCreate'), { params: { data: { name: 'c' }, select: ['name'] }, state: {} })
  t.notOk('result' in received.get('beforeCreate')!)
  t.match(received.get('afterCreate'), {
    params: { data: { name: 'c' } },
    state: { from: 'beforeCreate' },
    result: { id: 3, name: 'c' },
  })
  await tags.update(3, { data: { rank: 5 } })
  t.match(received.get('beforeUpdate'), { params: { data: { rank: 5 }, where: { id: 3 } } })
  t.match(received.get('afterUpdate'), { result: { id: 3, name: 'c', rank: 5 }, state: { from: 'beforeUpdate' } })
  await tags.delete(3)
  t.match(received.get('beforeDelete'), { params: { where: { id: 3 } } })
  t.match(received.get('afterDelete'), { result: { id: 3, name: 'c' } })
  const params = { filters: { rank: 1 }, sort: 'name', populate: '*', pagination: { start: 0, limit: 5 } }
  await tags.findPage(params)
  const asked = { where: { rank: 1 }, orderBy: 'name', populate: '*', limit: 5, offset: 0 }
  t.match(received.get('beforeFindMany'), { params: asked })
  t.match(received.get('afterFindMany'), { result: [{ name: 'b' }], state: { from: 'beforeFindMany' } })
  t.match(received.get('afterCount'), { params: { where: { rank: 1 } }, result: 1 })
  await tags.findOne(2, { fields: ['rank'] })
  t.match(received.get('beforeFindOne'), { params: { where: { id: 2 }, select: ['rank'] } })
  t.match(received.get('afterFindOne'), { result: { id: 2, rank: 2 } })
})

t.test('changes of params and results take effect', async t => {
  const { kernel, tags } = await start(t, {
    beforeCreate: event => void Object.assign(event.params.data as object, { name: 'from before' }),
    beforeUpdate: async event => void (await Promise.resolve(Object.assign(event.params, { data: { rank: 77 } }))),
    afterUpdate: event => void Object.assign(event, { result: { id: 0, name: 'another' } }),
    beforeFindMany: event => void Object.assign(event.params, { where: { name: 'a' }, select: ['name'] }),
    afterFindMany: event => void (event.result as Record<string, unknown>[]).push({ id: 99, name: 'added' }),
    afterFindOne: event => void Object.assign(event, { result: { ...(event.result as object), extra: true } }),
  })
  t.match(await tags.create({ data: { name: 'sent', rank: 3 } }), { name: 'from before', rank: 3, extra: true })
  t.match(await tags.update(1, { data: { name: 'sent' } }), { id: 0, name: 'another' })
  t.match(await raw(kernel, 'SELECT name, rank FROM tags WHERE id = 1'), [{ name: 'b', rank: 77 }])
  t.same(await tags.findMany({ filters: { name: 'b' } }), [
    { id: 2, name: 'a' },
    { id: 99, name: 'added' },
  ])
  t.match((await tags.findPage()).entries, [{ id: 2 }, { id: 99 }])
  t.match(await tags.findOne(2), { id: 2, name: 'a', extra: true })
})

t.test("pages have v4's form, and without withCount no total is counted", async t => {
  const received: LifecycleEvent[] = []
  const { tags } = await start(t, {
    beforeFindMany: event => void received.push({ ...event, params: { ...event.params } }),
    afterCount: event => void received.push({ ...event }),
  })
  for (const name of ['c', 'd', 'e']) await tags.create({ data: { name } })
  const pagination = { page: 2, pageSize: 3, withCount: false }
  const found = await tags.findPage({ pagination, sort: 'id' })
  t.same(found.pagination, { page: 2, pageSize: 3 }, 'no total where none was counted')
  t.same(
    found.entries.map(one => one.name),
    ['d', 'e'],
  )
  t.match(received, [{ action: 'beforeFindMany', params: { limit: 3, offset: 3 } }])
  t.equal(received.length, 1, 'no event is emitted for it')
  t.same((await tags.findPage({ pagination: { page: 2, pageSize: 3 } })).pagination.total, 5)
})

t.test('a lifecycle can change the page', async t => {
  let change: Record<string, unknown> = {}
  const { tags } = await start(t, { beforeFindMany: event => void Object.assign(event.params, change) })
  for (const name of ['c', 'd', 'e']) await tags.create({ data: { name } })
  const ask = async (pagination: unknown) => {
    const page = await tags.findPage({ pagination: pagination as object, sort: 'id' })
    return [page.entries.map(one => one.id), page.pagination]
  }
  change = { limit: 2, offset: 2 }
  t.same(await ask({ page: 1, pageSize: 5 }), [[3, 4], { page: 2, pageSize: 2, pageCount: 3, total: 5 }])
  t.same(await ask({ page: 1, pageSize: 5, withCount: false }), [[3, 4], { page: 2, pageSize: 2 }])
  t.same(await ask({ start: 0, limit: 5 }), [[3, 4], { start: 2, limit: 2, total: 5 }])
  change = { offset: 1 }
  t.same(await ask({ start: 0, limit: 2, withCount: false }), [[2, 3], { start: 1, limit: 2 }])
})

t.test('a lifecycle can change the entry of a write', async t => {
  let where: unknown = { name: 'a' }
  const { kernel, tags } = await start(t, {
    beforeUpdate: event => void Object.assign(event.params, { where }),
    beforeDelete: event => void Object.assign(event.params, { where }),
  })
  const read = () => raw(kernel, 'SELECT id, rank FROM tags ORDER BY id')
  t.match(await tags.update(1, { data: { rank: 9 } }), { id: 2, rank: 9 })
  t.match(await read(), [{ rank: 1 }, { rank: 9 }])
  where = { id: 1 }
  t.match(await tags.update(2, { data: { rank: 8 } }), { id: 1, rank: 8 })
  where = { name: 'nobody' }
  t.equal(await tags.update(1, { data: { rank: 7 } }), null)
  t.equal(await tags.delete(1), null)
  t.match(await read(), [{ rank: 8 }, { rank: 9 }])
  where = { rank: { $gt: 8 } }
  t.match(await tags.delete(1), { id: 2 })
  t.match(await read(), [{ id: 1 }])
})

t.test("changes in place do not reach the caller's objects", async t => {
  const { tags } = await start(t, {
    beforeFindMany: event => void Object.assign(event.params.where as object, { name: 'a' }),
  })
  const filters = { rank: { $gte: 0 } }
  t.match(await tags.findMany({ filters }), [{ name: 'a' }])
  t.same(filters, { rank: { $gte: 0 } })
})

t.test('missing entries are neither changed nor deleted', async t => {
  const received: string[] = []
  const note = (event: LifecycleEvent) => void received.push(event.action)
  const work = async (functions: Functions) => {
    const { tags } = await start(t, { beforeUpdate: note, beforeDelete: note, ...functions })
    t.equal(await tags.update(9, { data: { name: 'x' } }), null)
    t.equal(await tags.update(9, { data: { rank: 'no number' } }), null)
    t.equal(await tags.delete(9), null)
  }
  await work({})
  t.same(received, [])
  await work({ afterFindOne: event => void received.push(String(event.result)) })
  t.same(received, ['null', 'null', 'null'], 'v4 looks first')
})

t.test('only pages with a total have count events, and changed conditions apply', async t => {
  const received: string[] = []
  let change: Record<string, Record<string, unknown>> = {}
  const note = (event: LifecycleEvent) => {
    received.push(event.action)
    Object.assign(event.params, change[event.action])
  }
  const { tags } = await start(t, { beforeFindOne: note, beforeCount: note, beforeFindMany: note })
  await tags.findMany()
  await tags.findPage({ pagination: { withCount: false } })
  t.same(received, ['beforeFindMany', 'beforeFindMany'])
  await tags.findPage()
  t.same(received.slice(2), ['beforeFindMany', 'beforeCount'])
  change = { beforeCount: { where: { name: 'a' } } }
  const page = await tags.findPage()
  t.same([page.entries.length, page.pagination.total], [2, 1])
  t.equal(await tags.count(), 1)
  change = { beforeFindOne: { where: { name: 'a' } } }
  t.match(await tags.findOne(1), { id: 2, name: 'a' })
  change = { beforeFindOne: { where: { id: 1, name: 'a' } } }
  t.equal(await tags.findOne(1), null)
})

t.test('an error of a lifecycle stops the write', async t => {
  const fail = (event: LifecycleEvent) => {
    throw new RangeError(event.action)
  }
  let failing = ''
  const functions = Object.fromEntries(
    ['Create', 'Update', 'Delete'].flatMap(verb =>
      [`before${verb}`, `after${verb}`].map(name => [
        name,
        (event: LifecycleEvent) => (failing === name ? fail(event) : undefined),
      ]),
    ),
  )
  const { kernel, tags } = await start(t, functions)
  const works = {
    Create: () => tags.create({ data: {} }),
    Update: () => tags.update(1, { data: { name: 'x' } }),
    Delete: () => tags.delete(1),
  }
  const before = await raw(kernel, 'SELECT * FROM tags')
  for (const [verb, work] of Object.entries(works))
    for (const name of [`after${verb}`, `before${verb}`]) {
      failing = name
      t.match(await thrown(t, work), { message: name })
      t.same(await raw(kernel, 'SELECT * FROM tags'), before, `${name} leaves nothing behind`)
    }
})

t.test('lifecycles come from files and subscriptions, and unknown names are refused', async t => {
  const { uid: _, ...schema } = type('tag', { name: { type: 'string' } })
  const path = 'src/api/tag/content-types/tag'
  const files = (lifecycles: string, index = 'export default {}') => ({
    'package.json': { type: 'module' },
    [`${path}/schema.json`]: schema,
    [`${path}/lifecycles.js`]: lifecycles,
    'src/index.js': index,
  })
  const upper = 'beforeCreate(event) { event.params.data.name = event.params.data.name.toUpperCase() }'
  const bootstrap = `export default { bootstrap({ kernel }) { kernel.lifecycles.subscribe(null, { async ${upper.replace('toUpperCase()', 'padEnd(4, "!")')} }) } }`
  const dir = await folder(t, files(`export default { ${upper} }`, bootstrap))
  const kernel = await boot(t, { dir })
  t.match(await repositories(kernel)('tag').create({ data: { name: 'a' } }), { name: 'A!!!' })

  const broken = [
    [
      'export default { beforeCraete() {} }',
      `${path}/lifecycles: unknown lifecycle "beforeCraete", did you mean "beforeCreate"?`,
    ],
    ['export default { beforeCreate: 5 }', `${path}/lifecycles: beforeCreate must be a function`],
  ] as const
  for (const [text, message] of broken) {
    const error = await thrown(t, async () => boot(t, { dir: await folder(t, files(text)), logger: notes() }))
    t.equal(error.message, message)
  }
  const listen = ({ lifecycles }: Kernel) => lifecycles.subscribe(null, { afterFind: () => {} })
  t.match(await thrown(t, () => boot(t, { configure: listen })), { message: /unknown lifecycle "afterFind"/ })
})

t.test('a subscription for all types before the freeze receives events', async t => {
  const received: string[] = []
  const kernel = await boot(t, {
    contentTypes: [type('tag', {})],
    configure: kernel => kernel.lifecycles.subscribe(null, { beforeCreate: () => received.push('beforeCreate') }),
  })
  await kernel.query(uid('tag')).create({ data: {} })
  t.same(received, ['beforeCreate'])
})

t.test('an update and a deletion are preceded by a FindOne pair (B-10.72)', async t => {
  const received: string[] = []
  const events = ['Update', 'Delete', 'FindOne'].flatMap(verb => [`before${verb}`, `after${verb}`])
  const functions = Object.fromEntries(events.map(name => [name, () => received.push(name)]))
  const kernel = await boot(t, {
    contentTypes: [type('tag', {})],
    configure: kernel => kernel.lifecycles.subscribe([uid('tag')], functions),
  })
  const tags = kernel.query(uid('tag'))
  await tags.create({ data: {} })
  received.length = 0
  await tags.update(1, { data: {} })
  t.same(received.slice(0, 3), ['beforeFindOne', 'afterFindOne', 'beforeUpdate'])
  received.length = 0
  await tags.delete(1)
  t.same(received.slice(0, 3), ['beforeFindOne', 'afterFindOne', 'beforeDelete'])
})
