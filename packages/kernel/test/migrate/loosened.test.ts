// `unique` taken back: the index that enforced it is dropped, and nothing else.

import { fresh, onEach } from '@plinth/test-tools/on-each'
import type { Test } from 'tap'
import { createKernel, type DatabaseConfig, definePlugin, type Kernel, type KernelOptions } from '../../src/index.ts'
import { component, notes, thrown, type, uid } from '../fixtures/boot.ts'
import { apply, open, planned } from '../fixtures/migrate.ts'

const values: Readonly<Record<string, unknown>> = {
  string: 'x',
  text: 'long',
  email: 'a@example.com',
  uid: 'slug',
  integer: 7,
  biginteger: '9007199254740993',
  float: 1.5,
  decimal: 1.25,
  date: '2024-02-29',
  time: '10:00:00.000',
  datetime: '2024-02-29T10:00:00.000Z',
}
const data = Object.fromEntries(Object.entries(values).map(([kind, value]) => [`${kind}Value`, value]))

/** Things with an attribute of each type. `uid` is always unique, so that it becomes a string instead. */
function things(unique: boolean) {
  const attributes = Object.keys(values).map(kind => {
    const type = kind === 'uid' && !unique ? 'string' : kind
    return [`${kind}Value`, unique ? { type, unique } : { type }] as const
  })
  return [type('thing', Object.fromEntries(attributes))]
}

async function filled(t: Test, contentTypes: readonly unknown[], one: object = data): Promise<DatabaseConfig> {
  const { config: database } = await fresh(t)
  const kernel = await createKernel({ database, contentTypes })
  await kernel.query(uid('thing')).create({ data: one as never })
  await kernel.close()
  return database
}

const create = (kernel: Kernel, one: object = data) => kernel.query(uid('thing')).create({ data: one as never })

await onEach('unique taken back: the next start drops the index, for every type of attribute', async t => {
  for (const migrate of ['add', 'apply'] as const) {
    const database = await filled(t, things(true))
    const kernel = await open(t, database, { contentTypes: things(false), components: {} }, migrate)
    await create(kernel)
    t.equal(await kernel.query(uid('thing')).count(), 2)
    t.same(await planned(kernel), [])
    await kernel.close()
    const logger = notes()
    const back = await createKernel({ database, contentTypes: things(true), logger } as KernelOptions)
    t.ok(
      logger.warnings.some(text => /several rows have the same string_value/.test(text)),
      'and it can come back',
    )
    await back.close()
  }
})

await onEach('unique taken back: in production it is a safe step of the plan', async t => {
  const database = await filled(t, things(true))
  const look = await open(t, database, { contentTypes: things(false), components: {} })
  const steps = await planned(look)
  t.equal(steps.length, Object.keys(values).length)
  t.ok(steps.includes('safe loosen:things_string_value_unique'), steps.join())
  const error = await thrown(t, () => createKernel({ database, contentTypes: things(false), migrate: 'check' }))
  t.match(error, { name: 'PendingMigrationError', message: /loosen:things_string_value_unique/ })
  await apply(look)
  t.same(await planned(look), [])
  const kernel = await createKernel({ database, contentTypes: things(false), migrate: 'check' })
  await create(kernel)
  await kernel.close()
})

await onEach('unique taken back: indexes that somebody made by hand stay', async t => {
  const plain = { name: { type: 'string' }, other: { type: 'string' }, code: { type: 'string' } }
  const was = [type('thing', { ...plain, name: { type: 'string', unique: true } })]
  const database = await filled(t, was, { name: 'x', other: 'x', code: 'x' })
  const before = await open(t, database, { contentTypes: was, components: {} })
  await before.knex.schema.alterTable('things', table => {
    table.unique(['other'], { indexName: 'my_own' })
    table.unique(['code', 'other'], { indexName: 'things_by_code_unique' })
    table.index(['name'], 'things_by_name')
  })
  const kernel = await open(t, database, { contentTypes: [type('thing', plain)], components: {} }, 'add')
  await create(kernel, { name: 'x', other: 'y' })
  await t.rejects(create(kernel, { name: 'x', other: 'x' }), 'the index of the owner still holds')
  const names = await kernel.database.read(async session => {
    const { inspect } = await import('../../src/connection/catalogue.ts')
    return (await inspect(kernel.database.ddl.catalogue, session)).get('things')!.indexes.map(one => one.name)
  })
  t.same(names.sort(), ['my_own', 'things_by_code_unique', 'things_by_name'])
})

await onEach('unique taken back with a new name of the type and the attribute', async t => {
  const database = await filled(t, [type('thing', { name: { type: 'string', unique: true } })], { name: 'x' })
  const item = type('item', { title: { type: 'string', renamedFrom: 'name' } }, { renamedFrom: uid('thing') })
  const kernel = await open(t, database, { contentTypes: [item], components: {} }, 'apply')
  for (const title of ['x', 'x']) await kernel.query(uid('item')).create({ data: { title } })
  t.equal(await kernel.query(uid('item')).count(), 3)
  t.same(await planned(kernel), [])
})

await onEach('an index of several attributes that a plugin declares no longer, or otherwise', async t => {
  const attributes = { name: { type: 'string' }, place: { type: 'string' }, kind: { type: 'string' } }
  const unique = (...names: string[]) => ({
    index: {
      plugin: definePlugin({
        name: 'index',
        register: ({ kernel }) => kernel.hooks.on('preModel', draft => draft.index(names, { unique: true })),
      }),
    },
  })
  const { config: database } = await fresh(t)
  const contentTypes = [type('thing', attributes)]
  const first = await createKernel({ database, contentTypes, plugins: unique('name', 'place') })
  await create(first, { name: 'x', place: 'y', kind: '1' })
  await t.rejects(create(first, { name: 'x', place: 'y', kind: '2' }), { message: 'This attribute must be unique' })
  await first.close()
  const second = await createKernel({ database, contentTypes, plugins: unique('name', 'kind') })
  await create(second, { name: 'x', place: 'y', kind: '2' })
  await t.rejects(create(second, { name: 'x', place: 'z', kind: '2' }), { message: 'This attribute must be unique' })
  await second.close()
  const third = await createKernel({ database, contentTypes })
  await create(third, { name: 'x', place: 'y', kind: '2' })
  await third.close()
})

await onEach('unique taken back in a component, and relations that may have more links', async t => {
  const part = (unique: boolean) => ({ 'a.part': component('a.part', { label: { type: 'string', unique } }) })
  const thing = (relation: string, useJoinTable: boolean) =>
    type('thing', {
      part: { type: 'component', component: 'a.part' },
      next: { type: 'relation', relation, target: uid('thing'), ...(useJoinTable ? {} : { useJoinTable }) },
    })
  const { config: database } = await fresh(t)
  const first = await createKernel({ database, contentTypes: [thing('oneToOne', true)], components: part(true) })
  await create(first, { part: { label: 'x' } })
  await create(first, { next: 1 })
  await t.rejects(create(first, { part: { label: 'x' } }), { message: 'This attribute must be unique' })
  await first.close()
  for (const relation of ['manyToOne', 'manyToMany', 'oneToMany']) {
    const kernel = await createKernel({ database, contentTypes: [thing(relation, true)], components: part(false) })
    const next = relation === 'manyToOne' ? 1 : [1, 2]
    const { id } = await create(kernel, { part: { label: 'x' }, next })
    const found = await kernel.query(uid('thing')).findOne(id as number, { populate: { next: true } })
    t.equal([found!.next].flat().length, [next].flat().length, relation)
    await kernel.close()
  }
})
