// Gives reads on the event loop snapshots, although all of them share one connection, which can have one at a time. A read
// whose snapshot had to end for another read goes on in a new one if nothing was committed in between. Does not know how
// reads are repeated.

import type BetterSqlite3 from 'better-sqlite3'
import { thrownFor } from './errors.ts'

/** A read that may have a snapshot. */
export interface SnapshotRead {
  /** True if its statements are to see one state of the database. */
  readonly hasSnapshot: boolean
  /** The version of the database in its snapshot, if that has ended before the read; otherwise null. */
  version: number | null
}

/** Thrown if another state of the database was committed since the snapshot of a read had ended for another read. */
export class SnapshotLostError extends Error {
  constructor() {
    super('The database has changed since the snapshot of the read has ended')
  }
}

/**
 * The snapshots of one connection. Nobody is told of the statements that begin and end them, as in reader processes: they
 * read nothing.
 */
export class LoopSnapshots {
  readonly #connection: BetterSqlite3.Database
  readonly #begin: BetterSqlite3.Statement
  readonly #commit: BetterSqlite3.Statement
  readonly #readVersion: BetterSqlite3.Statement
  /** The read whose snapshot is open. */
  #current: SnapshotRead | null = null

  constructor(connection: BetterSqlite3.Database) {
    this.#connection = connection
    this.#begin = connection.prepare('BEGIN')
    this.#commit = connection.prepare('COMMIT')
    this.#readVersion = connection.prepare('PRAGMA data_version').pluck()
  }

  /** Called before each statement of a read. Throws SnapshotLostError. */
  enter(read: SnapshotRead): void {
    if (this.#current === read) return
    this.suspend()
    if (!read.hasSnapshot) return
    this.#begin.run()
    this.#current = read
    if (read.version !== null && this.#version() !== read.version) throw new SnapshotLostError()
  }

  /** Ends the snapshot of a read that has ended. */
  leave(read: SnapshotRead): void {
    if (this.#current === read) this.#end()
  }

  /** Ends the snapshot that is open, so that the next statement sees the newest state. */
  suspend(): void {
    if (this.#current === null) return
    this.#current.version = this.#version()
    this.#end()
  }

  #end(): void {
    this.#current = null
    // SQLite ends a transaction by itself after errors such as those of the disk.
    if (this.#connection.inTransaction) this.#commit.run()
  }

  /** Returns the version of the database, within a snapshot that of the snapshot. */
  #version(): number {
    try {
      return this.#readVersion.get() as number
    } catch (error) {
      throw thrownFor(error)
    }
  }
}
