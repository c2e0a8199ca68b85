// Tables that plugins make themselves: a start creates those that are missing, in every mode but `none`, and migrations
// leave them alone.

import { freshDatabase } from '@plinth/test-tools/databases'
import t, { type Test } from 'tap'
import { createKernel, definePlugin, type OwnTables } from '../../src/index.ts'
import { boot, client, thrown, type } from '../fixtures/boot.ts'

const contentTypes = [type('tag', { name: { type: 'string' } })]

const ownTables: OwnTables = {
  lamp_hours(table) {
    table.string('lamp', 40).primary()
    table.integer('hours').notNullable().defaultTo(0)
  },
}

/** A plugin whose `bootstrap` inserts a row into its table. */
const lamp = (tables: OwnTables = ownTables) =>
  definePlugin({
    name: 'lamp',
    ownTables: tables,
    register() {},
    async bootstrap({ kernel }) {
      const row = { lamp: String(await count(kernel)) }
      await kernel.transaction(async tx => void (await tx.knex('lamp_hours').insert(row)))
    },
  })

const count = async ({ knex }: { readonly knex: Awaited<ReturnType<typeof createKernel>>['knex'] }) =>
  ((await knex('lamp_hours')) as unknown[]).length

async function fresh(t: Test) {
  const database = await freshDatabase(client())
  t.teardown(() => database.drop())
  return database.config
}

t.test('a start creates a table before bootstrap, and a later start keeps its rows', async t => {
  const database = await fresh(t)
  const options = { database, contentTypes, plugins: { lamp: { plugin: lamp() } } }
  const first = await createKernel(options)
  t.match(await first.knex('lamp_hours'), [{ lamp: '0', hours: 0 }])
  await first.close()
  const second = await boot(t, { ...options, migrate: 'check' })
  t.equal(await count(second), 2)
  t.same(second.syncReport?.unknown, [], 'it is not called unknown')
})

t.test('a start in production creates it, and a command does not', async t => {
  const database = await fresh(t)
  await (await createKernel({ database, contentTypes })).close()
  const options = { database, contentTypes, plugins: { lamp: { plugin: lamp() } } }
  const command = await createKernel({ ...options, migrate: 'none' })
  t.equal(await command.knex.schema.hasTable('lamp_hours'), false)
  await command.close()
  const started = await boot(t, { ...options, migrate: 'check' })
  t.equal(await count(started), 1)
})

t.test('of two starts at the same time, one creates it', async t => {
  const database = await fresh(t)
  await (await createKernel({ database, contentTypes })).close()
  const plugin = definePlugin({ name: 'lamp', ownTables, register() {} })
  const start = () => boot(t, { database, contentTypes, plugins: { lamp: { plugin } } })
  const [one, other] = await Promise.all([start(), start()])
  t.same([await count(one!), await count(other!)], [0, 0])
})

t.test('a table that cannot be created stops the start, with the plugin and the table', async t => {
  const database = await fresh(t)
  const plugin = lamp({
    lamp_hours() {
      throw new Error('too dark')
    },
  })
  const error = await thrown(t, () => createKernel({ database, contentTypes, plugins: { lamp: { plugin } } }))
  t.equal(error.message, 'plugin lamp: the table lamp_hours: too dark')
})

t.test('names that a database could change, and values that are not functions, are refused', async t => {
  const define = (tables: unknown) => () =>
    definePlugin({ name: 'lamp', register() {}, ownTables: tables as OwnTables })
  const name = 'ownTables: a name must have at most 63 lower-case letters, digits and "_"'
  const message = (fault: string) => ({ message: `plugin lamp: definePlugin: ${fault}` })
  t.throws(define({ lampHours() {} }), message(`${name}, found "lampHours"`))
  t.throws(define({ [`l${'x'.repeat(63)}`]() {} }), message(`${name}, found "l${'x'.repeat(63)}"`))
  t.throws(define({ lamp_hours: true }), message('ownTables.lamp_hours must be a function, found true'))
  t.throws(define('x'), message('ownTables must be an object of functions, found "x"'))
})
