// Faults that once were, kept out by a test each: the start, the layout, transactions and what they leave behind.

import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { createKernel, definePlugin } from '../src/index.ts'
import { boot, client, folder, raw, repositories, temporary, thrown, type, uid } from './fixtures/boot.ts'

t.test('an unknown target in a known folder names the nearest type', async t => {
  const author = { type: 'relation', relation: 'manyToOne', target: 'api::person.persn' }
  const contentTypes = [type('person', {}), type('article', { author })]
  const { message } = await thrown(t, () => boot(t, { file: ':memory:', contentTypes }))
  t.match(message, /unknown content type "api::person\.persn", did you mean "api::person\.person"\?/)
})

t.test('a taken table and a taken column are faults of the schema', async t => {
  const rows = [
    [
      [type('person', {}), type('human', {}, { collectionName: 'persons' })],
      /^api::human\.human: collectionName: .*api::person/,
    ],
    [
      [type('person', { fooBar: { type: 'string' }, foo_bar: { type: 'string' } })],
      /^api::person\.person: attributes\.foo_bar: .*fooBar/,
    ],
  ] as const
  for (const [contentTypes, words] of rows) {
    const { name, message } = await thrown(t, () => boot(t, { file: ':memory:', contentTypes }))
    t.equal(name, 'InvalidSchemaError', message)
    t.match(message, words)
  }
})

t.test('inversedBy and mappedBy name a relation that points back', async t => {
  const to = (target: string, more = {}) => ({ type: 'relation', relation: 'manyToOne', target: uid(target), ...more })
  const contentTypes = [
    type('company', {}),
    type('person', { employer: to('company') }),
    type('article', { author: to('person', { inversedBy: 'employer' }) }),
  ]
  const { name, message } = await thrown(t, () => boot(t, { file: ':memory:', contentTypes }))
  t.equal(name, 'InvalidSchemaError')
  t.match(message, /^api::article\.article: attributes\.author\.inversedBy: .*employer/)
})

t.test('the uid is made of the api folder and the singular name (B-10.7)', async t => {
  const { uid: _, ...schema } = type('post', { title: { type: 'string' } })
  const dir = await folder(t, { 'src/api/blog/content-types/some-folder/schema.json': schema })
  const kernel = await boot(t, { dir })
  t.same(
    kernel.contentTypes.values().map(one => one.uid),
    ['api::blog.post'],
  )
})

t.test('a misspelt key of a plugin entry is a mistake', async t => {
  const registered: string[] = []
  const plugin = definePlugin({ name: 'lamp', register: () => void registered.push('lamp') })
  const dir = await temporary(t)
  const entry = { plugin, enabeld: false }
  const error = await thrown(t, async () => (await createKernel({ dir, plugins: { lamp: entry } })).close())
  t.equal(error.name, 'PluginConfigError')
  t.match(error.message, /lamp.*enabeld.*"enabled"/)
  t.same(registered, [])
})

t.test('a subscription for all types, made before the model is frozen, hears them', async t => {
  const heard: string[] = []
  const kernel = await boot(t, {
    contentTypes: [type('tag', {})],
    configure: kernel => kernel.lifecycles.subscribe(null, { beforeCreate: () => heard.push('beforeCreate') }),
  })
  await kernel.query(uid('tag')).create({ data: {} })
  t.same(heard, ['beforeCreate'])
})

t.test('an update and a deletion are preceded by a FindOne pair (B-10.72)', async t => {
  const heard: string[] = []
  const events = ['Update', 'Delete', 'FindOne'].flatMap(verb => [`before${verb}`, `after${verb}`])
  const functions = Object.fromEntries(events.map(name => [name, () => heard.push(name)]))
  const kernel = await boot(t, {
    contentTypes: [type('tag', {})],
    configure: kernel => kernel.lifecycles.subscribe([uid('tag')], functions),
  })
  const tags = kernel.query(uid('tag'))
  await tags.create({ data: {} })
  heard.length = 0
  await tags.update(1, { data: {} })
  t.same(heard.slice(0, 3), ['beforeFindOne', 'afterFindOne', 'beforeUpdate'])
  heard.length = 0
  await tags.delete(1)
  t.same(heard.slice(0, 3), ['beforeFindOne', 'afterFindOne', 'beforeDelete'])
})

t.test('a tree keeps the order of its children where v4 keeps it', async t => {
  // v4's table of the same schema: `category_id, inv_category_id, category_order` (fixtures/v4-layout.json). It puts
  // `inv_` before the inverse order only where both orders exist, which is manyToMany.
  const tree = {
    parent: { type: 'relation', relation: 'manyToOne', target: uid('category'), inversedBy: 'children' },
    children: { type: 'relation', relation: 'oneToMany', target: uid('category'), mappedBy: 'parent' },
  }
  const kernel = await boot(t, { file: ':memory:', contentTypes: [type('category', tree)] })
  const columns = await raw(kernel, `SELECT name FROM pragma_table_info('categorys_parent_links')`)
  t.same(
    columns.map(one => one.name),
    ['id', 'category_id', 'inv_category_id', 'category_order'],
  )
})

t.test('a relation held in a column lets go of a deleted entry', async t => {
  const author = { type: 'relation', relation: 'manyToOne', target: uid('person'), useJoinTable: false }
  const kernel = await boot(t, { contentTypes: [type('person', {}), type('article', { author })] })
  const of = repositories(kernel)
  const person = await of('person').create({ data: {} })
  await of('article').create({ data: { author: person.id } })
  await of('person').delete(person.id)
  t.match(await raw(kernel, 'SELECT author_id FROM articles'), [{ author_id: null }])
  t.equal(await of('article').count({ filters: { author: { $null: true } } }), 1)
  t.equal(await of('article').count({ filters: { author: { $notNull: true } } }), 0)
})

t.test('polymorphic relations let go of a deleted entry', async t => {
  const kernel = await boot(t, {
    contentTypes: [
      type('person', { notes: { type: 'relation', relation: 'morphMany', target: uid('note'), morphBy: 'about' } }),
      type('place', {}),
      type('note', { about: { type: 'relation', relation: 'morphToOne' } }),
      type('list', { of: { type: 'relation', relation: 'morphToMany' } }),
    ],
  })
  const of = repositories(kernel)
  const person = await of('person').create({ data: {} })
  const place = await of('place').create({ data: {} })
  const [known, unknown] = [
    { id: person.id, __type: uid('person') },
    { id: place.id, __type: uid('place') },
  ]
  for (const about of [known, unknown]) await of('note').create({ data: { about } })
  await of('list').create({ data: { of: [known, unknown] } })
  await of('person').delete(person.id)
  await of('place').delete(place.id)
  t.same(await raw(kernel, 'SELECT target_id, target_type FROM notes WHERE target_id IS NOT NULL'), [])
  t.same(await raw(kernel, 'SELECT * FROM lists_of_morphs'), [], 'no orphan rows')
})

// Typed columns of servers hold no rubbish.
if (client() === 'sqlite') {
  t.test('a datetime somebody wrote by hand does not take the whole list down', async t => {
    const kernel = await boot(t, { contentTypes: [type('day', { at: { type: 'datetime' } })] })
    await kernel.database.knex('days').insert({ at: 'rubbish' })
    await t.resolves(repositories(kernel)('day').findMany())
  })
}

const tag = type('tag', { label: { type: 'string' } })
const article = type('article', {
  title: { type: 'string' },
  tags: { type: 'relation', relation: 'manyToMany', target: uid('tag') },
})

t.test('a page in memory does not wait for its own connection', async t => {
  const database = { client: 'sqlite', connection: { filename: ':memory:' }, acquireTimeout: 300 }
  const kernel = await boot(t, { database, contentTypes: [tag] })
  const tags = repositories(kernel)('tag')
  t.match(await tags.findPage(), { entries: [], pagination: { total: 0 } }, 'an empty page')
  await tags.create({ data: { label: 'a' } })
  t.match(await tags.findPage({ pagination: { pageSize: 1 } }), { pagination: { total: 1 } }, 'a full page')
})

t.test('work that outlives its transaction does not write into the dead one', async t => {
  let isFailing = false
  const kernel = await boot(t, {
    contentTypes: [tag],
    configure: kernel =>
      kernel.hooks.on('onWrite', () => {
        if (isFailing) throw new Error('no')
      }),
  })
  const tags = repositories(kernel)('tag')
  let late: Promise<unknown> = Promise.resolve()
  await kernel.transaction(async () => {
    await tags.create({ data: { label: 'inside' } })
    late = sleep(20).then(() => tags.create({ data: { label: 'late' } }))
    late.catch(() => {})
  })
  isFailing = true
  await t.rejects(late)
  isFailing = false
  t.same(
    (await tags.findMany()).map(one => one.label),
    ['inside'],
    'what failed left nothing behind',
  )
})

t.test('a write that fails inside a transaction leaves nothing of itself', async t => {
  const kernel = await boot(t, { contentTypes: [tag, article] })
  const of = repositories(kernel)
  await of('tag').create({ data: { label: 'a' } })
  await of('article').create({ data: { title: 'whole' } })
  await kernel.transaction(async () => {
    const tags = { connect: [{ id: 1, position: { before: 9 } }] }
    await thrown(t, () => of('article').update(1, { data: { title: 'half', tags } }))
    await of('tag').create({ data: { label: 'b' } })
  })
  t.match(await raw(kernel, 'SELECT title FROM articles'), [{ title: 'whole' }])
  t.equal(await of('tag').count(), 2, 'the rest is committed')
})

t.test('onCommit runs once per transaction, with all its writes', async t => {
  const commits: string[][] = []
  const kernel = await boot(t, {
    contentTypes: [tag],
    configure: kernel =>
      kernel.hooks.on('onCommit', writes => {
        commits.push(writes.map(one => `${one.action} ${one.id}`))
      }),
  })
  const tags = repositories(kernel)('tag')
  await kernel.transaction(async () => {
    await tags.create({ data: {} })
    await tags.update(1, { data: {} })
  })
  t.same(commits, [['create 1', 'update 1']])
})

t.test('faults stand in schema order, also those of dates', async t => {
  const day = type('day', { date: { type: 'date', unique: true }, name: { type: 'string', unique: true } })
  const kernel = await boot(t, { contentTypes: [day] })
  const data = { date: '2024-01-01', name: 'one' }
  const days = repositories(kernel)('day')
  await days.create({ data })
  const { details } = await thrown(t, () => days.create({ data }))
  t.match(details, { errors: [{ path: ['date'] }, { path: ['name'] }] })
})

t.test('an entry before a write has its private values', async t => {
  let before: unknown
  const kernel = await boot(t, {
    contentTypes: [type('safe', { pin: { type: 'string', private: true } })],
    configure: kernel =>
      kernel.hooks.on('preWrite', { actions: ['update'] }, async write => {
        before = await write.before()
      }),
  })
  const safes = repositories(kernel)('safe')
  await safes.create({ data: { pin: '1234' } })
  await safes.update(1, { data: {} })
  t.match(before, { pin: '1234' }, '"all scalars, past every read rule"')
})
