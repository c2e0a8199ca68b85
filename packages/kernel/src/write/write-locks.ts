// Locks the rows that a write depends on at the beginning of its transaction, so that no other write comes between its
// checks and its COMMIT. If the database has one writer, it only compares the row version of the entry with the one
// that hooks have read.

import type { Database } from '../database/database.ts'
import type { Maybe, Transaction } from '../database/session.ts'
import { NotFoundError, StaleRowError } from '../errors.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Registry } from '../model/registry.ts'
import type { WriteStatements } from '../sql/writes/statements.ts'
import type { Input } from './parse.ts'
import { locksLinked, RowLocks } from './row-locks.ts'
import type { OpenWrite } from './open-write.ts'

/** Takes the locks of writes. */
export class WriteLocks {
  readonly #database: Database
  readonly #registry: Registry
  readonly #statements: WriteStatements

  constructor(database: Database, registry: Registry, statements: WriteStatements) {
    this.#database = database
    this.#registry = registry
    this.#statements = statements
  }

  /** Locks entries that a new entry takes from other entries, or that it links to without a foreign key. */
  lockForCreation(tx: Transaction, write: OpenWrite, input: Input): Maybe<void> {
    return this.#isLockless(write, input) ? undefined : this.#lockLinked(tx, write, input)
  }

  async #lockLinked(tx: Transaction, write: OpenWrite, input: Input): Promise<void> {
    const locks = await this.#locksOf(write, input)
    if (!locks.isEmpty) await locks.take(tx, this.#statements, write.type)
  }

  /**
   * Locks the same for an update, together with the entry itself, and compares its row version with the one that a hook
   * has read. If nothing else must be locked, the UPDATE locks the entry. Throws NotFoundError and StaleRowError.
   */
  lockForUpdate(tx: Transaction, write: OpenWrite, input: Input): Maybe<void> {
    const isLockless = this.#isLockless(write, input)
    if (isLockless && write.rowVersion === null && !this.#isUnlocked(write, input)) return undefined
    return this.#lockChanged(tx, write, input, isLockless)
  }

  async #lockChanged(tx: Transaction, write: OpenWrite, input: Input, isLockless: boolean): Promise<void> {
    const { type, rowVersion } = write
    const id = write.id!
    const locks = isLockless ? new RowLocks() : await this.#locksOf(write, input)
    const isLocking = !locks.isEmpty || this.#isUnlocked(write, input)
    if (isLocking) {
      locks.add(type, [id], 'change')
      if (!(await locks.take(tx, this.#statements, type)).has(id)) throw new NotFoundError()
    }
    if (rowVersion === null) return
    if (rowVersion !== (await this.#database.rowVersion(tx, type.table, id, !isLocking))) throw new StaleRowError()
  }

  /** Locks the rows that the hooks of a write have read, before they read them again: its entry and those it named. */
  async lockRead(tx: Transaction, { type, id, lockedWith }: OpenWrite): Promise<void> {
    if (this.#database.dialect.rowLocks === null) return
    const locks = new RowLocks()
    if (id !== null) locks.add(type, [id], 'change')
    for (const find of lockedWith) locks.add(type, await find(), 'change')
    if (!locks.isEmpty) await locks.take(tx, this.#statements, type)
  }

  /**
   * Locks an entry that is to be deleted: waits for running changes of it, and prevents later changes and links to it.
   * Throws NotFoundError.
   */
  async lockForRemoval(tx: Transaction, type: ContentType, id: number): Promise<void> {
    const { dialect } = this.#statements
    if (dialect.rowLocks === null) return
    const found = await tx.all(this.#statements.lock(type.table, 'remove'), [dialect.list([id])])
    if (found.length === 0) throw new NotFoundError()
  }

  /** Whether only the entry itself can need a lock, as in most writes, which then need no promise. */
  #isLockless({ lockedWith }: OpenWrite, { entry }: Input): boolean {
    if (this.#database.dialect.rowLocks === null) return true
    return lockedWith.length === 0 && !locksLinked(this.#registry, entry)
  }

  async #locksOf({ type, lockedWith }: OpenWrite, { entry }: Input): Promise<RowLocks> {
    const locks = new RowLocks()
    locks.addLinked(this.#registry, entry)
    for (const find of lockedWith) locks.add(type, await find(), 'change')
    return locks
  }

  /**
   * Whether the UPDATE locks the entry too late or not at all: rules are tested on what no other write changes, and some
   * updates change relations or components, but no column of the row of the entry.
   */
  #isUnlocked({ target, result }: OpenWrite, { entry: { scalars, relations, components } }: Input): boolean {
    if (this.#database.dialect.rowLocks === null) return false
    if (target !== null || result !== null) return true
    return scalars.size === 0 && relations.length + components.length > 0
  }
}
