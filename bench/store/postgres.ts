// PostgreSQL: a database for each server, named `plinth_bench_*`; a copy is a database with the first one as its
// template.

import pg from 'pg'
import { chunksOf, columnsOf, type Row, type Side, type Store, type Target } from './store.ts'

const SERVER = {
  host: process.env.BENCH_POSTGRES_HOST ?? '127.0.0.1',
  port: Number(process.env.BENCH_POSTGRES_PORT ?? 5432),
  user: process.env.BENCH_POSTGRES_USER ?? 'postgres',
  password: process.env.BENCH_POSTGRES_PASSWORD ?? '',
}

const PREFIX = process.env.BENCH_PREFIX ?? 'plinth_bench'

const pristine = (side: Side) => `${PREFIX}_${side}`
const copyOf = (side: Side) => `${PREFIX}_${side}_run`

const targetOf = (database: string): Target => ({
  client: 'postgres',
  connection: { ...SERVER, database },
  pool: { min: 0, max: 10 },
})

async function open<T>(database: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...SERVER, database, options: '-c timezone=UTC' })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const drop = (database: string) => `DROP DATABASE IF EXISTS ${database} WITH (FORCE)`

/** Databases are created and dropped outside of transactions, one statement per message. */
const administer = (...statements: readonly string[]) =>
  open('postgres', async client => {
    for (const statement of statements) await client.query(statement)
  })

const created = new Set<Side>()

export const postgres: Store = {
  client: 'postgres',
  describe: () =>
    open('postgres', async client => {
      const [row] = (await client.query('SHOW server_version')).rows
      return `PostgreSQL ${row.server_version.split(' ')[0]}`
    }),
  async create(side) {
    created.add(side)
    await administer(drop(copyOf(side)), drop(pristine(side)), `CREATE DATABASE ${pristine(side)}`)
    return targetOf(pristine(side))
  },
  run: (side, statements) => open(pristine(side), async client => void (await client.query(statements.join(';')))),
  fill: (side, tables) =>
    open(pristine(side), async client => {
      await client.query('BEGIN')
      for (const [table, rows] of Object.entries(tables)) await fillTable(client, table, rows)
      await client.query('COMMIT')
    }),
  settle: side =>
    open(pristine(side), async client => {
      const { rows } = await client.query(
        "SELECT table_name FROM information_schema.columns WHERE column_name = 'id' AND data_type <> 'character varying' AND table_schema = 'public'",
      )
      for (const { table_name: table } of rows) {
        await client.query(
          `SELECT setval(s, (SELECT COALESCE(MAX(id), 0) + 1 FROM "${table}"), false)
           FROM pg_get_serial_sequence('"${table}"', 'id') s WHERE s IS NOT NULL`,
        )
      }
      // Updates the visibility map too, as autovacuum does, so that indexes alone can answer counts.
      await client.query('VACUUM ANALYZE')
      await client.query('CHECKPOINT')
    }),
  async copy(side) {
    await administer(drop(copyOf(side)), `CREATE DATABASE ${copyOf(side)} TEMPLATE ${pristine(side)}`)
    return targetOf(copyOf(side))
  },
  async close() {
    await administer(...[...created].flatMap(side => [drop(copyOf(side)), drop(pristine(side))]))
    created.clear()
  },
}

async function fillTable(client: pg.Client, table: string, rows: readonly Row[]): Promise<void> {
  const info = await client.query('SELECT column_name FROM information_schema.columns WHERE table_name = $1', [table])
  const columns = columnsOf(table, rows, new Set(info.rows.map(row => row.column_name)))
  const names = columns.map(column => `"${column}"`)
  for (const part of chunksOf(rows)) {
    const places = part.map((_, row) => `(${columns.map((_, column) => `$${row * columns.length + column + 1}`)})`)
    const values = part.flatMap(row => columns.map(column => row[column]))
    await client.query(`INSERT INTO "${table}" (${names}) VALUES ${places}`, values)
  }
}
