// The option draftAndPublish switched on and off for a type that has entries: nothing that was hidden becomes public, and
// nothing that was public vanishes, on every database.

import { createContext, createKernel, type Kernel, type KernelOptions, openAccess } from '@plinth/kernel'
import { applyMigrations, planMigrations } from '@plinth/kernel/migrate'
import { fresh, onEach } from '@plinth/test-tools/on-each'
import type { Test } from 'tap'
import draftPublish from '../src/index.ts'
import { type Attributes, to, type } from './fixtures/boot.ts'

const label = { label: { type: 'string', required: true } }
const components = {
  'a.inner': { collectionName: 'components_a_inners', attributes: label },
  'a.part': {
    collectionName: 'components_a_parts',
    attributes: {
      ...label,
      inner: { type: 'component', component: 'a.inner', repeatable: true },
      friend: to('oneToOne', 'cat'),
    },
  },
}

const dog: Attributes = {
  name: { type: 'string', unique: true },
  part: { type: 'component', component: 'a.part' },
  blocks: { type: 'dynamiczone', components: ['a.part', 'a.inner'] },
  cats: { ...to('manyToMany', 'cat'), inversedBy: 'dogs' },
  mother: { ...to('manyToOne', 'dog'), useJoinTable: false },
}
const cat: Attributes = {
  name: { type: 'string' },
  dogs: { ...to('manyToMany', 'dog'), mappedBy: 'cats' },
  seen: { type: 'relation', relation: 'morphToMany' },
}

interface Boot {
  readonly migrate?: KernelOptions['migrate']
  readonly environment?: string
  readonly drafts: boolean
  readonly warnings?: string[]
}

/** A kernel on the database; dogs have drafts or not. */
async function boot(
  t: Test,
  database: unknown,
  { drafts, migrate, environment, warnings = [] }: Boot,
): Promise<Kernel> {
  const before = process.env.NODE_ENV
  if (environment !== undefined) process.env.NODE_ENV = environment
  try {
    const kernel = await createKernel({
      database,
      ...(migrate === undefined ? {} : { migrate }),
      contentTypes: [
        type('dog', drafts, dog),
        type('cat', false, cat),
        { ...type('home', drafts, label), kind: 'singleType' },
      ],
      components,
      plugins: { 'draft-publish': { plugin: draftPublish } } as never,
      logger: { info() {}, error() {}, warn: (message: string) => warnings.push(message) } as never,
    })
    t.teardown(() => kernel.close())
    return kernel
  } finally {
    if (before === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = before
  }
}

const dogs = (kernel: Kernel) => kernel.query('api::dog.dog')
const names = async (kernel: Kernel, params = {}) =>
  (await dogs(kernel).findMany({ sort: 'id', ...params })).map(one => one.name)

const inner = [{ label: 'one' }, { label: 'two' }]
const whole = (name: string) => ({
  name,
  part: { label: 'part', inner, friend: 1 },
  blocks: [
    { __component: 'a.part', label: 'block', inner, friend: 1 },
    { __component: 'a.inner', label: 'last' },
  ],
  cats: [1],
})

/** A live dog and two drafts, one of which is the mother of the live one. */
async function withDrafts(t: Test): Promise<{ database: unknown; left: Record<string, number> }> {
  const { config: database } = await fresh(t)
  const kernel = await boot(t, database, { drafts: true })
  await kernel.query('api::cat.cat').create({ data: { name: 'cat' } })
  await dogs(kernel).create({ data: whole('live') })
  const left = await counts(kernel)
  await dogs(kernel).create({ data: { ...whole('draft'), publishedAt: null } })
  await dogs(kernel).create({ data: { name: 'empty', publishedAt: null, mother: 2 } })
  await dogs(kernel).update(1, { data: { mother: 2 } })
  const seen = [2, 1].map(id => ({ id, __type: 'api::dog.dog' }))
  await kernel.query('api::cat.cat').update(1, { data: { seen } })
  await kernel.close()
  return { database, left: { ...left, cats_seen_morphs: 1 } }
}

/** The number of rows of all tables but those of cats. */
async function counts(kernel: Kernel): Promise<Record<string, number>> {
  const tables = [
    'dogs',
    'dogs_components',
    'dogs_cats_links',
    'components_a_parts',
    'components_a_parts_components',
    'components_a_parts_friend_links',
    'components_a_inners',
    'cats_seen_morphs',
  ]
  const found: Record<string, number> = {}
  for (const table of tables) found[table] = Number((await kernel.knex(table).count({ n: '*' }))[0]!.n)
  return found
}

await onEach('switched off: drafts stay hidden in development, on every way to them', async t => {
  const { database } = await withDrafts(t)
  for (const migrate of ['add', 'apply'] as const) {
    const warnings: string[] = []
    const kernel = await boot(t, database, { drafts: false, migrate, warnings })
    t.same(await names(kernel), migrate === 'add' ? ['live'] : ['live', 'new add'])
    t.equal(await dogs(kernel).count({ filters: { name: 'draft' } }), 0)
    t.equal(await dogs(kernel).findOne(2), null)
    const [cat] = await kernel.query('api::cat.cat').findMany({ populate: { dogs: true, seen: true } })
    t.same(
      (cat!.dogs as { name: string }[]).map(one => one.name),
      ['live'],
      'populated',
    )
    t.same(
      (cat!.seen as { name: string }[]).map(one => one.name),
      ['live'],
      'polymorphic',
    )
    t.equal(await kernel.query('api::cat.cat').count({ filters: { dogs: { name: 'draft' } } }), 0, 'filtered')
    t.match(await dogs(kernel).findOne(1, { populate: { mother: true } }), { mother: null })
    t.match(warnings.join('\n'), /migrate apply show:dogs\.published_at[\s\S]*migrate apply delete:dogs\.published_at/)
    const made = await dogs(kernel).create({ data: { name: `new ${migrate}` } })
    t.notOk('publishedAt' in made)
    t.ok((await names(kernel)).includes(`new ${migrate}`), 'a new entry is no draft')
    const caller = createContext(openAccess)
    const asCaller = kernel.query('api::dog.dog', caller)
    t.equal(await asCaller.update(2, { data: { name: 'changed' } }), null, 'changed by its id')
    t.equal(await asCaller.delete(3), null, 'deleted by its id')
    t.match(await asCaller.update(1, { data: { name: 'live' } }), { name: 'live' })
    await t.rejects(kernel.writer.update({ uid: 'api::dog.dog', id: 2, data: {}, params: {}, context: caller }), {
      message: 'Not Found',
    })
    await kernel.close()
  }
  const back = await boot(t, database, { drafts: true })
  t.same(await names(back), ['live', 'new add', 'new apply'], 'and all is as it was when it is switched on again')
  t.same(await names(back, { publicationState: 'preview' }), ['live', 'draft', 'empty', 'new add', 'new apply'])
})

await onEach('switched off: production refuses to start until it is decided, in every mode', async t => {
  const { database } = await withDrafts(t)
  for (const migrate of ['check', 'add', 'apply', undefined] as const) {
    const start = boot(t, database, { drafts: false, environment: 'production', ...(migrate && { migrate }) })
    await t.rejects(start, {
      name: 'PendingMigrationError',
      message: /show:dogs\.published_at[\s\S]*delete:dogs\.published_at/,
    })
  }
  const tool = await boot(t, database, { drafts: false, migrate: 'none' })
  const { steps } = await planMigrations(tool)
  t.match(steps, [
    { name: 'show:dogs.published_at', risk: 'lossy', why: '2 of the drafts would be shown' },
    { name: 'delete:dogs.published_at', risk: 'lossy', why: '2 of the drafts would be deleted' },
    { name: 'drop:dogs.published_at', risk: 'blocked', why: /hides drafts/ },
    { name: 'drop:homes.published_at', risk: 'lossy' },
  ])
  await t.rejects(
    applyMigrations(
      tool,
      steps.slice(0, 2).map(step => step.name),
    ),
    { message: /exclude each other/ },
  )
  t.same((await applyMigrations(tool)).done, [], 'is not done unasked')
})

await onEach('switched off: the drafts are shown', async t => {
  const { database } = await withDrafts(t)
  const tool = await boot(t, database, { drafts: false, migrate: 'none' })
  await applyMigrations(tool, ['show:dogs.published_at'])
  const kernel = await boot(t, database, { drafts: false, environment: 'production' })
  t.same(await names(kernel), ['live', 'draft', 'empty'])
  await dogs(kernel).create({ data: { name: 'new' } })
  await kernel.close()
  const again = await boot(t, database, { drafts: false, environment: 'production' })
  t.equal((await names(again)).length, 4, 'what is created later is no draft')
  await applyMigrations(tool, ['drop:dogs.published_at'])
  await again.close()
  t.equal((await names(await boot(t, database, { drafts: false }))).length, 4)
})

await onEach('switched off: the drafts are deleted with all that belongs to them', async t => {
  const { database, left } = await withDrafts(t)
  const tool = await boot(t, database, { drafts: false, migrate: 'none' })
  await applyMigrations(tool, ['delete:dogs.published_at'])
  t.same(await counts(tool), left)
  const kernel = await boot(t, database, { drafts: false, environment: 'production' })
  t.same(await names(kernel), ['live'])
  t.match(await dogs(kernel).findOne(1, { populate: { mother: true, part: { populate: '*' } } }), {
    mother: null,
    part: { label: 'part', inner, friend: { name: 'cat' } },
  })
})

await onEach('switched off: the draft of a single type', async t => {
  const { config: database } = await fresh(t)
  const before = await boot(t, database, { drafts: true })
  await before.query('api::home.home').create({ data: { label: 'draft', publishedAt: null } })
  await before.close()
  const kernel = await boot(t, database, { drafts: false })
  t.same(await kernel.query('api::home.home').findMany(), [])
  await t.rejects(kernel.query('api::home.home').create({ data: { label: 'second' } }), {
    message: 'singleType.alreadyExists',
  })
  const context = createContext(openAccess)
  await t.rejects(kernel.writer.put({ uid: 'api::home.home', data: { label: 'x' }, params: {}, context }), {
    message: 'Not Found',
  })
})

await onEach('switched on: entries from before are published when they were created', async t => {
  const { config: database } = await fresh(t)
  const before = await boot(t, database, { drafts: false })
  await before.query('api::cat.cat').create({ data: { name: 'cat' } })
  for (const name of ['a', 'b', 'c']) await dogs(before).create({ data: whole(name) })
  await dogs(before).create({ data: { name: 'd' } })
  const created = (await dogs(before).findMany({ sort: 'id' })).map(one => one.createdAt)
  await before.knex('dogs').where({ id: 2 }).update({ created_at: null })
  await before.knex('dogs').where({ id: 3 }).update({ created_at: null, updated_at: null })
  // A range of ids with nothing in it.
  await before.knex('dogs').where({ id: 4 }).update({ id: 25_000 })
  await before.close()
  await t.rejects(boot(t, database, { drafts: true, environment: 'production' }), { message: /add:dogs\.published_at/ })
  const kernel = await boot(t, database, { drafts: true })
  const found = await dogs(kernel).findMany({ sort: 'id' })
  t.same(
    found.map(one => one.name),
    ['a', 'b', 'c', 'd'],
  )
  t.equal(found[0]!.publishedAt, created[0])
  t.equal(found[3]!.publishedAt, created[3])
  t.equal(found[1]!.publishedAt, found[1]!.updatedAt, 'else when they were changed')
  const now = Date.parse(String(found[2]!.publishedAt))
  t.ok(Math.abs(Date.now() - now) < 60_000, 'else now')
  await dogs(kernel).create({ data: { name: 'draft', publishedAt: null } })
  await kernel.close()
  const again = await boot(t, database, { drafts: true, environment: 'production' })
  t.equal((await names(again)).length, 4, 'a draft stays one')
})

await onEach('switched on: `plinth migrate apply` does the same, and continues what was interrupted', async t => {
  const { config: database } = await fresh(t)
  const before = await boot(t, database, { drafts: false })
  await dogs(before).create({ data: { name: 'a' } })
  await before.close()
  const tool = await boot(t, database, { drafts: true, migrate: 'none' })
  const { steps } = await planMigrations(tool)
  const add = steps.find(step => step.name === 'add:dogs.published_at')!
  t.match(add, { risk: 'safe', sql: [/ADD COLUMN/, /^UPDATE .*COALESCE/] })
  // As after a kill between the two statements, where each commits by itself.
  if (add.sql.length === 3) await tool.knex.raw(add.sql[0]!)
  await applyMigrations(tool)
  t.same((await planMigrations(tool)).steps, [])
  t.same(await names(await boot(t, database, { drafts: true, environment: 'production' })), ['a'])
})
