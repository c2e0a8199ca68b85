// Declares what `config/database` of an application may contain. Data only: config.ts reads it.

import type { DatabasePackage } from './definition.ts'
import type { ClientOfV4 } from './find.ts'

/** Connection settings; v4's `{ connection: { client, connection, pool } }` is accepted too. */
export interface DatabaseConfig {
  /**
   * The database: its package is `@plinth/<client>` or `plinth-database-<client>`. DATABASE_CLIENT by default, otherwise
   * `sqlite`. v4's names `better-sqlite3`, `mysql2` and `pg` are accepted, too, and so is what a database package exports
   * by default, for code that has imported it.
   */
  readonly client?: ClientOfV4 | (string & {}) | DatabasePackage
  /** SQLite: `filename`. Servers: `host`, `port`, `database`, `user`, `password`, `ssl`; PostgreSQL also `schema`. */
  readonly connection?: Readonly<Record<string, unknown>>
  /** Connections to a server; 0 to 10. */
  readonly pool?: { readonly min?: number; readonly max?: number }
  /** Milliseconds to wait for a connection before answering 503; 5000. */
  readonly acquireTimeout?: number
  /** v4's name for the same. */
  readonly acquireConnectionTimeout?: number
  /**
   * Milliseconds that a statement may take, or a read on SQLite, before it is answered with 503; 15,000. 0: no limit,
   * or on servers the limit of the server's configuration.
   */
  readonly statementTimeout?: number
  /**
   * Servers: milliseconds to wait for a row or table that another transaction has locked; 3000. 0: the server's
   * setting.
   */
  readonly lockTimeout?: number
  /**
   * Servers (not MySQL): milliseconds that a transaction may be idle between two statements; 30,000. 0: the server's
   * setting.
   */
  readonly idleTransactionTimeout?: number
  /** SQLite. With `full`, the last commits survive a power cut, at a tenth of the writes per second. */
  readonly synchronous?: 'normal' | 'full'
  /**
   * Servers: caches totals of lists until this process writes. Only for an application whose process alone writes to
   * its database; false.
   */
  readonly rememberTotals?: boolean
  /**
   * Lets a read of several statements, such as those of populated entries and totals, show one state of the database.
   * True on SQLite. False on servers, where requests then cannot share counts.
   */
  readonly consistentReads?: boolean
  /**
   * Servers: in which time zone datetimes are stored, as an IANA name, an offset, or `local`; UTC. v4 stored them in the
   * zone of its process. `connection.timezone`, which v4 knew as well, wins.
   */
  readonly storedTimeZone?: string
  /**
   * PostgreSQL: prepares each statement once per connection, under a name; true. `false` is for poolers that give each
   * transaction another server connection and know no prepared statements.
   */
  readonly preparedStatements?: boolean
  /** The changes that a start may make to the tables (migrate/mode.ts). */
  readonly migrate?: 'add' | 'check' | 'apply' | 'none'
  /**
   * Indexes beside those of the schemas: attributes, and lists of them, by the uid of their type. They are made while
   * others read and write, by a server after its start or by `plinth migrate apply`; one that is missing changes no answer.
   */
  readonly indexes?: Readonly<Record<string, readonly (string | readonly string[])[]>>
}
