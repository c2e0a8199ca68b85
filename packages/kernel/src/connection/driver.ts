// The interface of a database's driver: its dialect and tables, how its connections are shared, and how it detects
// changes. One object per database.

import type { Dialect } from '../sql/dialect.ts'
import type { ConnectionDriver } from './connection-driver.ts'
import type { Connections, ConnectionTools } from './connections.ts'
import type { Ddl } from './ddl.ts'
import type { Maybe, Session } from './session.ts'

/** One kind of database. */
export interface Driver extends ConnectionDriver {
  readonly dialect: Dialect
  readonly ddl: Ddl
  /**
   * Uses the first connection to find the dialect, which can depend on the version. Throws StartError
   * (PLINTH_DATABASE_VERSION) if the version is too old.
   */
  connect(session: Session): Maybe<Dialect>
  /**
   * Finds the columns of texts that cannot hold every text, for the dialect's `narrowTests`; returns the character sets
   * by table. Missing if there can be none.
   */
  findNarrow?(session: Session, dialect: Dialect): Promise<ReadonlyMap<string, string>>
  /** Shares the connections of the pool among callers; called once. Depends on how many writers there may be at a time. */
  connections(tools: ConnectionTools): Connections
  /** The statements that begin a transaction whose reads all see the same state, and which locks nothing. */
  readonly snapshot: readonly string[]
  /** The statement that makes a session read-only; null if transactions that begin with `snapshot` are. */
  readonly readOnlyStatement: string | null
  /**
   * Returns a value that differs if the entry was changed meanwhile. `locks`: no other transaction changes the entry
   * until the end of this one.
   */
  rowVersion(session: Session, table: string, id: number, locks: boolean): Maybe<string>
  close(): void
}
