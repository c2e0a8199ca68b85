/**
 * Opens plain connections for tests: they return the content of a database as the driver reads it, with as little
 * conversion as possible.
 */

import BetterSqlite3 from 'better-sqlite3'
import { createConnection } from 'mysql2/promise'
import pg from 'pg'

export type RawRow = Readonly<Record<string, unknown>>

export interface OpenConnection {
  /** Returns the rows of one statement. */
  all(sql: string): Promise<RawRow[]>
  /** Runs any number of statements. */
  run(sql: string): Promise<void>
  close(): Promise<void>
}

export interface Address {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  readonly database?: string
}

export function openSqlite(filename: string): OpenConnection {
  const connection = new BetterSqlite3(filename)
  connection.defaultSafeIntegers(true)
  return {
    all: async sql => connection.prepare(sql).all() as RawRow[],
    run: async sql => void connection.exec(sql),
    close: async () => void connection.close(),
  }
}

/** Opens a file of SQLite for reading, with the methods of better-sqlite3. */
export function openFile(filename: string): BetterSqlite3.Database {
  return new BetterSqlite3(filename, { readonly: true })
}

export async function openMysql(address: Address): Promise<OpenConnection> {
  const connection = await createConnection({
    ...address,
    charset: 'utf8mb4',
    connectTimeout: 10_000,
    multipleStatements: true,
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
  })
  return {
    all: async sql => (await connection.query(sql))[0] as RawRow[],
    run: async sql => void (await connection.query(sql)),
    close: () => connection.end(),
  }
}

export async function openPostgres(address: Address): Promise<OpenConnection> {
  const { database = 'postgres', ...rest } = address
  // Values as text, except null.
  const types = { getTypeParser: () => (value: string | Buffer) => value } as unknown as pg.CustomTypesConfig
  const connection = new pg.Client({ ...rest, database, connectionTimeoutMillis: 10_000, types })
  await connection.connect()
  return {
    all: async sql => (await connection.query(sql)).rows as RawRow[],
    run: async sql => void (await connection.query(sql)),
    close: () => connection.end(),
  }
}
