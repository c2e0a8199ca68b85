// What a database refuses, for its names, its width or its rows, is an error with the type and the attribute before any
// table is touched, at a start and for a plan.

import { fresh, onEach } from '@plinth/test-tools/on-each'
import type { Test } from 'tap'
import { createKernel, type KernelOptions } from '../../src/index.ts'
import { planMigrations } from '../../src/migrate/index.ts'
import { component, type, uid } from '../fixtures/boot.ts'

const many = (count: number, definition: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`a${i}`, definition]))

interface Model {
  readonly contentTypes: readonly unknown[]
  readonly components?: KernelOptions['components']
}

interface Refusal extends Model {
  readonly title: string
  /** The code and the place by database; a database that is not listed starts. */
  readonly on: Readonly<Record<string, readonly [code: string, message: RegExp]>>
}

const [name, size] = ['PLINTH_SCHEMA_NAME', 'PLINTH_SCHEMA_SIZE']
const thing = (attributes: Parameters<typeof type>[1], more = {}) => ({
  contentTypes: [type('thing', attributes, more)],
})
const text = { type: 'string' }
const [first, second] = [`${'x'.repeat(63)}a`, `${'x'.repeat(63)}b`]

const refusals: readonly Refusal[] = [
  { title: '63 texts fit', ...thing(many(63, text)), on: {} },
  {
    title: 'too many texts for a row',
    ...thing(many(70, text)),
    on: { mysql: [size, /^api::thing\.thing: attributes\.a64: it does not fit into a row .*65535/] },
  },
  {
    title: 'too many texts in a component',
    ...thing({ part: { type: 'component', component: 'a.part' } }),
    components: { 'a.part': component('a.part', many(90, text)) },
    on: { mysql: [size, /^a\.part: attributes\.a64: it does not fit into a row/] },
  },
  {
    title: 'more columns than a table has',
    ...thing(many(2010, { type: 'boolean' })),
    on: {
      sqlite: [size, /^api::thing\.thing: attributes\.a1999: .* needs 2015 columns, but SQLite allows 2000/],
      mysql: [size, /^api::thing\.thing: attributes\.a1016: .* but MySQL allows 1017/],
      postgres: [size, /^api::thing\.thing: attributes\.a1599: .* but PostgreSQL allows 1600/],
    },
  },
  {
    title: 'more indexes than a table has',
    ...thing(many(64, { type: 'integer', unique: true })),
    on: { mysql: [size, /^api::thing\.thing: attributes\.a63: .* needs 65 indexes, but MySQL allows 64/] },
  },
  ...['ctid', 'xmin', 'xmax', 'cmin', 'cmax', 'tableoid'].map(word => ({
    title: `an attribute ${word}`,
    ...thing({ [word]: text }),
    on: { postgres: [name, new RegExp(`^api::thing\\.thing: attributes\\.${word}: PostgreSQL reserves`)] as const },
  })),
  {
    title: 'a table with a reserved name',
    ...thing({ one: text }, { collectionName: 'SQLite_things' }),
    on: { sqlite: [name, /^api::thing\.thing: SQLite reserves the table name "SQLite_things"; choose another/] },
  },
  {
    title: 'a link table with a reserved name',
    ...thing({ one: { type: 'relation', relation: 'oneToOne', target: uid('thing') } }, { collectionName: 'sqlite' }),
    on: { sqlite: [name, /^api::thing\.thing: SQLite reserves the table name "sqlite_one_links"/] },
  },
  {
    title: 'a column with a reserved name',
    ...thing({ dbRowId: text }),
    on: { mysql: [name, /^api::thing\.thing: attributes\.dbRowId: MySQL reserves the column name "db_row_id"/] },
  },
  {
    title: 'two attributes equal in their first 63 bytes',
    ...thing({ [first]: text, [second]: text }),
    on: {
      postgres: [name, /^api::thing\.thing: the attributes "x{63}a" and "x{63}b" both need the column/],
    },
  },
  {
    title: 'two attributes equal in their first 63 bytes, which are fewer letters',
    ...thing({
      one: { ...text, columnName: `${'ä'.repeat(35)}1` },
      two: { ...text, columnName: `${'ä'.repeat(35)}2` },
    }),
    on: { postgres: [name, /^api::thing\.thing: the attributes "one" and "two" both need the column/] },
  },
  {
    title: 'long names with indexes, in letters of several bytes',
    ...thing(
      {
        one: { ...text, unique: true },
        two: { ...text, unique: true },
        three: { ...text, columnName: 'ä'.repeat(40) },
      },
      { collectionName: 'ä'.repeat(40) },
    ),
    on: {},
  },
  {
    title: 'a name of 64 letters that are more characters in JavaScript',
    ...thing({ one: { ...text, columnName: 'ä'.repeat(64) } }),
    on: {},
  },
]

for (const { title, on, ...model } of refusals) {
  await onEach(title, async (t, client) => {
    const { config: database } = await fresh(t)
    const refusal = on[client]
    const options = { database, ...model } as KernelOptions
    if (refusal !== undefined) {
      const [code, message] = refusal
      await t.rejects(createKernel(options), { code, message })
      const tool = await createKernel({ ...options, migrate: 'none' })
      t.teardown(() => tool.close())
      await t.rejects(planMigrations(tool), { code, message }, 'a plan does not call it safe')
      return
    }
    await starts(t, options)
  })
}

async function starts(t: Test, options: KernelOptions): Promise<void> {
  for (const again of [false, true]) {
    const kernel = await createKernel(options)
    if (again) t.same(kernel.syncReport, { created: [], added: [], unknown: [], pending: [] }, 'nothing is left to do')
    await kernel.query(uid('thing')).create({ data: {} })
    await kernel.close()
  }
}

await onEach('attributes added to a table that is there', async (t, client) => {
  const { config: database } = await fresh(t)
  await (await createKernel({ database, ...thing(many(50, text)) } as KernelOptions)).close()
  const start = createKernel({ database, ...thing(many(70, text)) } as KernelOptions)
  if (client !== 'mysql') {
    await (await start).close()
    return
  }
  await t.rejects(start, { code: size, message: /^api::thing\.thing: attributes\.a64: it does not fit/ })
  const kernel = await createKernel({ database, ...thing(many(60, text)) } as KernelOptions)
  await kernel.query(uid('thing')).create({ data: {} })
  await kernel.close()
})

await onEach('the character set of the database decides what fits', async (t, client) => {
  if (client !== 'mysql') return
  const { config: database } = await fresh(t)
  const empty = await createKernel({ database, contentTypes: [] })
  await empty.knex.raw('ALTER DATABASE CHARACTER SET utf8mb3')
  await empty.close()
  await starts(t, { database, ...thing(many(70, text)) } as KernelOptions)
  await (await createKernel({ database, ...thing(many(80, text)) } as KernelOptions)).close()
  const { config: latin } = await fresh(t)
  const other = await createKernel({ database: latin, contentTypes: [] })
  await other.knex.raw('ALTER DATABASE CHARACTER SET latin1')
  await other.close()
  await t.rejects(createKernel({ database: latin, ...thing(many(50, text)) } as KernelOptions), {
    code: size,
    message: /^api::thing\.thing: attributes\.a3\d: it does not fit .*8126/,
  })
})

await onEach('what only the change of a table shows has the type and the step', async t => {
  const { config: database } = await fresh(t)
  const before = await createKernel({ database, contentTypes: [] })
  await before.knex.raw('CREATE VIEW things AS SELECT 1 AS one')
  await before.close()
  for (const migrate of ['add', 'apply'] as const)
    await t.rejects(createKernel({ database, migrate, ...thing({ one: text }) } as KernelOptions), {
      code: 'PLINTH_MIGRATION_STEP',
      message: /^api::thing\.thing: the database refuses the step "create:things", which creates the table things: ./,
    })
})
