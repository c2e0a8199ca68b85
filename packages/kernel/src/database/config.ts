// The `config/database` file in v4's shape (B-10.42): what may be said, and what it means here.

import { mkdirSync } from 'node:fs'
import { dirname, isAbsolute, resolve } from 'node:path'

/** Connection settings; v4's `{ connection: { client, connection } }` is accepted too. */
export interface DatabaseConfig {
  readonly client?: 'sqlite' | 'better-sqlite3'
  readonly connection?: { readonly filename?: string }
  /** Milliseconds to wait for a connection before answering 503. */
  readonly acquireTimeout?: number
  /** `full` survives a power cut without losing the last commits, at a tenth of the writes a second. */
  readonly synchronous?: 'normal' | 'full'
}

/** A configuration with everything decided. */
export interface ResolvedDatabase {
  readonly filename: string
  readonly acquireTimeout: number
  readonly synchronous: 'normal' | 'full'
}

/** Applies defaults: SQLite in `.data/plinth.db` below the application. Throws for other clients. */
export function resolveDatabase(config: unknown, dir: string): ResolvedDatabase {
  const outer = (config ?? {}) as { connection?: DatabaseConfig & { client?: string } }
  const isNested = typeof outer.connection?.client === 'string'
  const given = (isNested ? outer.connection : outer) as DatabaseConfig
  const client = given.client ?? 'sqlite'
  if (client !== 'sqlite' && client !== 'better-sqlite3') {
    throw new Error(`config/database: client "${client}" is not supported by this version, only "sqlite" is`)
  }
  const named = given.connection?.filename ?? process.env.DATABASE_FILENAME ?? '.data/plinth.db'
  const filename = named === ':memory:' || isAbsolute(named) ? named : resolve(dir, named)
  if (filename !== ':memory:') mkdirSync(dirname(filename), { recursive: true })
  return { filename, acquireTimeout: given.acquireTimeout ?? 5000, synchronous: given.synchronous ?? 'normal' }
}
