// What a start may do to the database: add in development, refuse in production, apply with `migrate: 'apply'`.

import { fresh, onEach } from '@plinth/test-tools/on-each'
import type { Test } from 'tap'
import { createKernel, type DatabaseConfig, type KernelOptions } from '../../src/index.ts'
import { notes, thrown, type, uid } from '../fixtures/boot.ts'
import { planned } from '../fixtures/migrate.ts'

const tag = (attributes: object) => type('tag', attributes as never)
const plain = { name: { type: 'string' } }

/** A start as in production, or with what else the environment says. */
async function start(t: Test, database: unknown, contentTypes: unknown[], env = {}, more: Partial<KernelOptions> = {}) {
  const variables: Record<string, string> = { NODE_ENV: 'production', ...env }
  const before = Object.keys(variables).map(name => [name, process.env[name]] as const)
  Object.assign(process.env, variables)
  try {
    const kernel = await createKernel({ database, contentTypes, ...more })
    t.teardown(() => kernel.close())
    return kernel
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
}

async function prepared(t: Test, attributes: object = plain): Promise<DatabaseConfig> {
  const { config: database } = await fresh(t)
  const kernel = await createKernel({ database, contentTypes: [tag(attributes)] })
  for (const name of ['a', 'b']) await kernel.query(uid('tag')).create({ data: { name } })
  await kernel.close()
  return database
}

await onEach('production creates the tables of an empty database and opens a complete one', async t => {
  const { config: database } = await fresh(t)
  const first = await start(t, database, [tag(plain)])
  t.same(first.syncReport, { created: ['tags'], added: [], unknown: [], pending: [] })
  await first.close()
  const second = await start(t, database, [tag(plain)])
  t.same(second.syncReport, { created: [], added: [], unknown: [], pending: [] })
})

await onEach('no start changes a database in which an import has not ended', async t => {
  const { config: database } = await fresh(t)
  const first = await start(t, database, [tag(plain)])
  await first.database.knex.schema.createTable('plinth_import', columns => columns.bigInteger('file'))
  await first.close()
  const changed = [tag({ ...plain, color: { type: 'string' } })]
  for (const migrate of ['add', 'check', 'apply'] as const) {
    const error = await thrown(t, () => start(t, database, changed, {}, { migrate }))
    t.match(error, { name: 'StartError', code: 'PLINTH_IMPORT_UNFINISHED' }, migrate)
  }
  const look = await start(t, database, changed, {}, { migrate: 'none' })
  t.ok((await planned(look)).includes('safe add:tags.color'), 'nothing was added')
})

await onEach('production refuses pending steps, and names them and the command', async t => {
  const database = await prepared(t, { ...plain, rank: { type: 'text' } })
  const changed = [tag({ ...plain, color: { type: 'string' }, rank: { type: 'integer' } }), type('word', plain)]
  const { name, message } = await thrown(t, () => start(t, database, changed))
  t.equal(name, 'PendingMigrationError')
  for (const step of ['create:words', 'add:tags.color', 'retype:tags.rank']) t.ok(message.includes(step), step)
  t.match(message, /`plinth migrate apply`.*DATABASE_MIGRATE=apply/)
  const look = await createKernel({ database, contentTypes: changed, migrate: 'none' })
  t.teardown(() => look.close())
  t.equal((await planned(look)).length, 3, 'and nothing was done')
})

await onEach("production applies steps with migrate: 'apply'", async t => {
  const database = await prepared(t)
  const changed = [tag({ headline: { type: 'text', renamedFrom: 'name' }, color: { type: 'string' } })]
  for (const options of [{ migrate: 'apply' as const }, {}]) {
    const env = options.migrate === undefined ? { DATABASE_MIGRATE: 'apply' } : {}
    const kernel = await start(t, database, changed, env, options)
    t.match(await kernel.query(uid('tag')).findMany({ sort: 'id' }), [{ headline: 'a' }, { headline: 'b' }])
    await kernel.close()
  }
  const kernel = await start(t, { ...database, migrate: 'apply' }, [
    tag({ ...changed[0]!.attributes, size: { type: 'float' } }),
  ])
  t.same(kernel.syncReport?.added, ['tags.size'], 'config/database says so too')
  await kernel.close()
  const more = [tag({ ...changed[0]!.attributes, weight: { type: 'float' } })]
  const once = await start(t, { ...database, migrate: 'check' }, more, { DATABASE_MIGRATE: 'apply' })
  t.same(once.syncReport?.added, ['tags.weight'], 'and the environment is read before it')
  const wrong = await thrown(t, () => start(t, { ...database, migrate: 'aply' }, changed))
  t.match(wrong.message, /^config\/database: migrate "aply" is not known, did you mean "apply"\?/)
  const nested = { connection: { ...database, migrate: 'aply' } }
  t.match((await thrown(t, () => start(t, nested, changed))).message, wrong.message, 'also beside the pool')
  t.match(
    (await thrown(t, () => start(t, database, changed, { DATABASE_MIGRATE: 'aply' }))).message,
    /^The environment variable DATABASE_MIGRATE: "aply" is not known, did you mean "apply"\?/,
  )
})

await onEach("production with migrate: 'apply' refuses steps that are not safe", async t => {
  const database = await prepared(t)
  const env = { DATABASE_MIGRATE: 'apply' }
  const { message } = await thrown(t, () => start(t, database, [tag({ name: { type: 'integer' } })], env))
  t.match(message, /retype:tags\.name/)
})

await onEach('unknown columns and missing indexes do not stop a start', async t => {
  const database = await prepared(t, { ...plain, rank: { type: 'integer' } })
  const logger = notes()
  const kernel = await start(t, database, [tag({ name: { type: 'string', indexed: true } })], {}, { logger })
  t.same(kernel.syncReport?.unknown, ['tags.rank'])
  t.match(logger.warnings, [/left unchanged: tags\.rank/])
})

await onEach('development does additive steps and warns of the others', async t => {
  const database = await prepared(t)
  const logger = notes()
  const changed = [tag({ name: { type: 'integer' }, color: { type: 'string' } })]
  const kernel = await start(t, database, changed, { NODE_ENV: 'development' }, { logger })
  t.same(kernel.syncReport?.added, ['tags.color'])
  t.match(logger.warnings, [
    /^The step retype:tags\.name is pending, which only `plinth migrate apply` runs: it changes tags\.name from/,
  ])
})

await onEach('new tables of a plugin need no migration', async t => {
  const database = await prepared(t)
  const listen: KernelOptions['configure'] = kernel =>
    void kernel.contentTypes.add(type('badge', plain), { uid: 'plugin::badges.badge', internal: true })
  const kernel = await start(t, database, [tag(plain)], {}, { configure: listen })
  t.same(kernel.syncReport?.created, ['badges'])
})

await onEach('rows that clash in a unique index are reported once', async t => {
  const { config: database } = await fresh(t)
  const before = await createKernel({ database, contentTypes: [tag(plain)] })
  for (const name of ['a', 'a']) await before.query(uid('tag')).create({ data: { name } })
  await before.close()
  for (const _ of [1, 2]) {
    const logger = notes()
    const kernel = await start(t, database, [tag({ name: { type: 'string', unique: true } })], {}, { logger })
    t.match(logger.warnings, [/^tags: several rows have the same name/])
    t.equal(logger.warnings.length, 1)
    await kernel.close()
  }
})
