// MariaDB or MySQL: a database for each server, named `plinth_bench_*`. A copy has the same tables, indexes and foreign
// keys and is filled by INSERT … SELECT. This takes seconds, so a copy that was not written to is used again by the
// next run.

import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise'
import { chunksOf, columnsOf, type Row, type Side, type Store, type Target } from './store.ts'

const SERVER = {
  host: process.env.BENCH_MYSQL_HOST ?? '127.0.0.1',
  port: Number(process.env.BENCH_MYSQL_PORT ?? 3306),
  user: process.env.BENCH_MYSQL_USER ?? 'root',
  password: process.env.BENCH_MYSQL_PASSWORD ?? '',
}

const PREFIX = process.env.BENCH_PREFIX ?? 'plinth_bench'

const pristine = (side: Side) => `${PREFIX}_${side}`
const copyOf = (side: Side) => `${PREFIX}_${side}_run`

const targetOf = (database: string): Target => ({
  client: 'mysql',
  connection: { ...SERVER, database },
  pool: { min: 0, max: 10 },
})

async function open<T>(database: string | undefined, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await createConnection({ ...SERVER, database, charset: 'utf8mb4', timezone: 'Z' })
  try {
    return await work(connection)
  } finally {
    await connection.end()
  }
}

const run = async (connection: Connection, ...statements: readonly string[]) => {
  for (const statement of statements) await connection.query(statement)
}

const drop = (database: string) => `DROP DATABASE IF EXISTS ${database}`
const create = (database: string) => `CREATE DATABASE ${database} CHARACTER SET utf8mb4`

const created = new Set<Side>()

/** Copies that are unchanged. */
const clean = new Set<Side>()

export const mysql: Store = {
  client: 'mysql',
  describe: () =>
    open(undefined, async connection => {
      const [[row]] = await connection.query<RowDataPacket[]>('SELECT VERSION() AS version')
      const version: string = row!.version
      return version.includes('MariaDB') ? `MariaDB ${version.split('-')[0]}` : `MySQL ${version}`
    }),
  async create(side) {
    created.add(side)
    clean.delete(side)
    await open(undefined, connection =>
      run(connection, drop(copyOf(side)), drop(pristine(side)), create(pristine(side))),
    )
    return targetOf(pristine(side))
  },
  run: (side, statements) => open(pristine(side), connection => run(connection, ...statements)),
  fill: (side, tables) =>
    open(pristine(side), async connection => {
      await connection.query('BEGIN')
      for (const [table, rows] of Object.entries(tables)) await fillTable(connection, table, rows)
      await connection.query('COMMIT')
    }),
  settle: side => open(pristine(side), connection => measure(connection, pristine(side))),
  async copy(side, writes) {
    if (!clean.has(side)) await open(undefined, connection => copyTables(connection, pristine(side), copyOf(side)))
    if (writes) clean.delete(side)
    else clean.add(side)
    return targetOf(copyOf(side))
  },
  async close() {
    const statements = [...created].flatMap(side => [drop(copyOf(side)), drop(pristine(side))])
    await open(undefined, connection => run(connection, ...statements))
    created.clear()
  },
}

async function tablesOf(connection: Connection, database: string): Promise<string[]> {
  const text = 'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = ?'
  const [rows] = await connection.query<RowDataPacket[]>(text, [database])
  return rows.map(row => row.name)
}

async function measure(connection: Connection, database: string): Promise<void> {
  const tables = await tablesOf(connection, database)
  await connection.query(`ANALYZE TABLE ${tables.map(table => `${database}.\`${table}\``)}`)
}

/** SHOW CREATE TABLE contains foreign keys; CREATE TABLE … LIKE would leave them out. */
async function copyTables(connection: Connection, from: string, to: string): Promise<void> {
  await run(connection, 'SET FOREIGN_KEY_CHECKS = 0', 'SET UNIQUE_CHECKS = 0', drop(to), create(to), `USE ${to}`)
  for (const table of await tablesOf(connection, from)) {
    const [[shown]] = await connection.query<RowDataPacket[]>(`SHOW CREATE TABLE ${from}.\`${table}\``)
    await run(connection, shown!['Create Table'], `INSERT INTO \`${table}\` SELECT * FROM ${from}.\`${table}\``)
  }
  await measure(connection, to)
}

async function fillTable(connection: Connection, table: string, rows: readonly Row[]): Promise<void> {
  const [info] = await connection.query<RowDataPacket[]>(`SHOW COLUMNS FROM \`${table}\``)
  const columns = columnsOf(table, rows, new Set(info.map(column => column.Field)))
  const names = columns.map(column => `\`${column}\``)
  for (const part of chunksOf(rows)) {
    const values = part.map(row => columns.map(column => row[column]))
    await connection.query(`INSERT INTO \`${table}\` (${names}) VALUES ?`, [values])
  }
}
