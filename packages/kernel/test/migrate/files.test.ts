// Migration files of an application, which run as in v4: once each, in the order of their names, before the sync.

import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fresh, onEach } from '@plinth/test-tools/on-each'
import t, { type Test } from 'tap'
import { createKernel, type Kernel } from '../../src/index.ts'
import { applyMigrations, planMigrations, undoMigration } from '../../src/migrate/index.ts'
import { folder, raw, thrown, type } from '../fixtures/boot.ts'

const { uid: _, ...schema } = type('tag', { name: { type: 'string' }, rank: { type: 'integer' } })
const at = (name: string) => `database/migrations/${name}`

const files = {
  'src/api/tag/content-types/tag/schema.json': schema,
  [at('2023.01.02.second.js')]: `module.exports = {
    async up(knex) { await knex('tags').insert([{ id: 7, name: 'made' }, { id: 8, name: 'by hand' }]) },
    async down(knex) { await knex('tags').whereIn('id', [7, 8]).delete() },
  }`,
  [at('2023.01.01.first.ts')]: `import type { Knex } from 'knex'
    export async function up(knex: Knex): Promise<void> {
      await knex.schema.createTable('tags', t => { t.increments('id'); t.string('name'); t.string('old') })
    }`,
  [at('2023.01.03.third.mjs')]: `export const up = async knex => {
    await knex.schema.alterTable('tags', t => t.dropColumn('old'))
    await knex('tags').where('id', 8).update({ name: 'changed' })
  }`,
  [at('README.md')]: 'not a migration',
}

async function open(t: Test, dir: string, database: unknown, migrate?: 'none'): Promise<Kernel> {
  const kernel = await createKernel({ dir, database, ...(migrate === undefined ? {} : { migrate }) })
  t.teardown(() => kernel.close())
  return kernel
}

const recorded = async (kernel: Kernel) => {
  const { quote } = kernel.database.dialect
  const rows = await raw(kernel, `SELECT name, ${quote('time')} AS t FROM strapi_migrations ORDER BY id`)
  for (const row of rows) t.not(row.t, null)
  return rows.map(row => row.name)
}

await onEach('files run once each, before the tables are made', async t => {
  const dir = await folder(t, files)
  const { config: database } = await fresh(t)
  const kernel = await open(t, dir, database)
  const names = ['2023.01.01.first.ts', '2023.01.02.second.js', '2023.01.03.third.mjs']
  t.same(await recorded(kernel), names)
  t.same(
    kernel.syncReport,
    { created: [], added: kernel.syncReport!.added, unknown: [], pending: [] },
    'the table was there',
  )
  t.ok(kernel.syncReport!.added.includes('tags.rank'))
  const entries = await kernel.query('api::tag.tag').findMany({ sort: 'id', fields: ['name'] })
  t.match(entries, [
    { id: 7, name: 'made' },
    { id: 8, name: 'changed' },
  ])
  await kernel.close()
  const again = await open(t, dir, database)
  t.same(await recorded(again), names, 'and not again')
  await again.close()
  await writeFile(
    join(dir, at('2023.01.01.b.js')),
    `exports.up = async knex => { await knex('tags').where('id', 7).delete() }`,
  )
  const third = await open(t, dir, database)
  t.same(await recorded(third), [...names, '2023.01.01.b.js'], 'a new one does, wherever its name is')
})

await onEach('a file that throws is rolled back', async (t, client) => {
  const broken = `exports.up = async knex => {
    await knex('tags').insert({ id: 1, name: 'x' })
    throw new Error('on purpose')
  }`
  const dir = await folder(t, { ...files, [at('2024.js')]: broken })
  const { config: database } = await fresh(t)
  const { message } = await thrown(t, () => open(t, dir, database))
  t.match(message, 'database/migrations/2024.js: on purpose')
  const kernel = await open(t, dir, database, 'none')
  t.same((await recorded(kernel)).length, 3)
  t.same(await raw(kernel, 'SELECT id FROM tags WHERE id = 1'), [], client)
  const { files: states } = await planMigrations(kernel)
  t.same(
    states.filter(file => !file.isDone),
    [{ name: '2024.js', isDone: false }],
  )
  await rm(join(dir, at('2024.js')))
  t.same((await applyMigrations(kernel)).files, [])
})

await onEach('a file without an up function is reported', async t => {
  const dir = await folder(t, { [at('1.js')]: 'exports.upp = () => {}' })
  const { config: database } = await fresh(t)
  t.match((await thrown(t, () => open(t, dir, database))).message, /1\.js: does not export a function "up"/)
})

await onEach('production refuses to start with a file that has not run', async t => {
  const dir = await folder(t, { ...files, [at('2024.js')]: 'exports.up = async () => {}' })
  const { config: database } = await fresh(t)
  await rm(join(dir, at('2024.js')))
  await (await open(t, dir, database)).close()
  await writeFile(join(dir, at('2024.js')), 'exports.up = async () => {}')
  const before = process.env.NODE_ENV
  process.env.NODE_ENV = 'production'
  try {
    t.match(
      (await thrown(t, () => open(t, dir, database))).message,
      /run:2024\.js {2}runs database\/migrations\/2024\.js/,
    )
  } finally {
    if (before === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = before
  }
})

await onEach('the last file is undone', async t => {
  const dir = await folder(t, files)
  await rm(join(dir, at('2023.01.03.third.mjs')))
  const { config: database } = await fresh(t)
  const kernel = await open(t, dir, database)
  t.equal(await undoMigration(kernel), '2023.01.02.second.js')
  t.same(await raw(kernel, 'SELECT id FROM tags'), [])
  t.same(await recorded(kernel), ['2023.01.01.first.ts'])
  t.match((await thrown(t, () => undoMigration(kernel))).message, /first\.ts: does not export a function "down"/)
})

await onEach('altering a table in a file keeps the rows that refer to it', async t => {
  const { uid: _, ...post } = type('post', {
    tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
    main: { type: 'relation', relation: 'oneToOne', target: 'api::tag.tag', useJoinTable: false },
  })
  const dir = await folder(t, {
    'src/api/tag/content-types/tag/schema.json': schema,
    'src/api/post/content-types/post/schema.json': post,
  })
  const { config: database } = await fresh(t)
  const first = await open(t, dir, database)
  for (const name of ['a', 'b', 'c']) await first.query('api::tag.tag').create({ data: { name } })
  for (const main of [1, 2]) await first.query('api::post.post').create({ data: { tags: [1, 2, 3], main } })
  await first.close()
  const up = `exports.up = async knex => {
    await knex.schema.alterTable('tags', t => t.dropColumn('rank'))
    await knex.schema.alterTable('tags', t => t.integer('rank'))
    await knex('tags').where('id', 2).delete()
  }`
  await mkdir(join(dir, 'database/migrations'), { recursive: true })
  await writeFile(join(dir, at('1.js')), up)
  const kernel = await open(t, dir, database)
  t.same(await raw(kernel, 'SELECT post_id, tag_id FROM posts_tags_links ORDER BY id'), [
    { post_id: 1, tag_id: 1 },
    { post_id: 1, tag_id: 3 },
    { post_id: 2, tag_id: 1 },
    { post_id: 2, tag_id: 3 },
  ])
  t.same(
    (await raw(kernel, 'SELECT main_id FROM posts ORDER BY id')).map(row => row.main_id),
    [1, null],
  )
})
