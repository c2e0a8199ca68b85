// Locks what a write depends on at the beginning of its transaction, so that no other write comes between its checks
// and its COMMIT: first the names of advisory locks, for what must be unique without a unique index, then rows. With one
// writer, it only compares the row version of the entry with the one that hooks have read.

import type { Database } from '../connection/database.ts'
import type { Maybe, Transaction } from '../connection/session.ts'
import { NotFoundError, StaleRowError } from '../errors.ts'
import type { ContentType, ScalarAttribute } from '../model/content-type.ts'
import { type Divergence, indexKey } from '../model/divergence.ts'
import type { Registry } from '../model/registry.ts'
import type { WriteStatements } from '../sql/writes/statements.ts'
import type { OpenWrite } from './open-write.ts'
import type { Input } from './parse.ts'
import { type LinkLock, locksLinked, RowLocks } from './row-locks.ts'

/** The number of names per column: a write with thousands of values must not fill the server's table of locks. */
const buckets = 1024

/** No advisory locks. */
export const noNames: readonly string[] = []

/** The links that a row has already, as rows of its table of links. */
export interface StoredLink {
  readonly id: number
  readonly type: string
}

/** Takes the locks of writes. */
export interface WriteLocks {
  /** Locks entries that a new entry takes from other entries, or that it links to without a foreign key. */
  lockForCreation(tx: Transaction, write: OpenWrite, input: Input): Maybe<void>
  /**
   * Locks the same for an update, together with the entry itself, and compares its row version with the one that a hook
   * has read. If nothing else must be locked, the UPDATE locks the entry. Throws NotFoundError and StaleRowError.
   */
  lockForUpdate(tx: Transaction, write: OpenWrite, input: Input): Maybe<void>
  /** Locks the rows that the hooks of a write have read, before they read them again: its entry and those it named. */
  lockRead(tx: Transaction, write: OpenWrite): Maybe<void>
  /**
   * Locks an entry that is to be deleted: waits for running changes of it, and prevents later changes and links to it.
   * Throws NotFoundError.
   */
  lockForRemoval(tx: Transaction, type: ContentType, id: number): Maybe<void>
  /**
   * Locks linked entries against deletion: their links are inserted again, and a concurrent deletion would not see the
   * new rows. `modeOf` returns the lock for entries of a type. Returns the links without those whose entries have been
   * deleted.
   */
  lockStored<Link extends StoredLink>(
    tx: Transaction,
    links: readonly Link[],
    modeOf: (type: ContentType) => LinkLock,
  ): Maybe<readonly Link[]>
}

/** The objects that locks use. */
export interface LockTools {
  readonly database: Database
  readonly registry: Registry
  readonly statements: WriteStatements
}

/** The locks of a database with one writer at a time, where nothing comes between the statements of a transaction. */
export class OneWriterLocks implements WriteLocks {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  lockForCreation(): void {}

  lockForUpdate(tx: Transaction, { rowVersion, type, id }: OpenWrite): Maybe<void> {
    return rowVersion === null ? undefined : this.#compare(tx, type.table, id!, rowVersion)
  }

  async #compare(tx: Transaction, table: string, id: number, rowVersion: string): Promise<void> {
    if (rowVersion !== (await this.#database.rowVersion(tx, table, id, true))) throw new StaleRowError()
  }

  lockRead(): void {}

  lockForRemoval(): void {}

  lockStored<Link extends StoredLink>(_tx: Transaction, links: readonly Link[]): readonly Link[] {
    return links
  }
}

/** The locks of a database with many writers, which are locks of rows. */
export class RowWriteLocks implements WriteLocks {
  readonly #database: Database
  readonly #registry: Registry
  readonly #statements: WriteStatements

  constructor({ database, registry, statements }: LockTools) {
    this.#database = database
    this.#registry = registry
    this.#statements = statements
  }

  lockForCreation(tx: Transaction, write: OpenWrite, input: Input): Maybe<void> {
    return this.#isLockless(write, input) ? undefined : this.#lockLinked(tx, write, input)
  }

  async #lockLinked(tx: Transaction, write: OpenWrite, input: Input): Promise<void> {
    const locks = await this.#locksOf(write, input)
    if (!locks.isEmpty) await locks.take(tx, this.#statements, write.type)
  }

  lockForUpdate(tx: Transaction, write: OpenWrite, input: Input): Maybe<void> {
    const isLockless = this.#isLockless(write, input)
    if (isLockless && write.rowVersion === null && !isUnlocked(write, input)) return undefined
    return this.#lockChanged(tx, write, input, isLockless)
  }

  async #lockChanged(tx: Transaction, write: OpenWrite, input: Input, isLockless: boolean): Promise<void> {
    const { type, rowVersion } = write
    const id = write.id!
    const locks = isLockless ? new RowLocks() : await this.#locksOf(write, input)
    const isLocking = !locks.isEmpty || isUnlocked(write, input)
    if (isLocking) {
      locks.add(type, [id], 'change')
      if (!(await locks.take(tx, this.#statements, type)).has(id)) throw new NotFoundError()
    }
    if (rowVersion === null) return
    if (rowVersion !== (await this.#database.rowVersion(tx, type.table, id, !isLocking))) throw new StaleRowError()
  }

  async lockRead(tx: Transaction, { type, id, lockedWith }: OpenWrite): Promise<void> {
    const locks = new RowLocks()
    if (id !== null) locks.add(type, [id], 'change')
    for (const find of lockedWith) locks.add(type, await find(), 'change')
    if (!locks.isEmpty) await locks.take(tx, this.#statements, type)
  }

  async lockForRemoval(tx: Transaction, type: ContentType, id: number): Promise<void> {
    const { dialect } = this.#statements
    const locked = await tx.all(this.#statements.lock(type.table, 'remove'), [dialect.list([id])])
    if (locked.length === 0) throw new NotFoundError()
  }

  async lockStored<Link extends StoredLink>(
    tx: Transaction,
    links: readonly Link[],
    modeOf: (type: ContentType) => LinkLock,
  ): Promise<readonly Link[]> {
    const types = new Map<string, number[]>()
    for (const { id, type } of links) types.set(type, [...(types.get(type) ?? []), id])
    const gone = new Set<string>()
    for (const type of [...types.keys()].sort()) {
      const target = this.#registry.get(type)
      if (target === undefined) continue
      const ids = types.get(type)!
      const text = this.#statements.lock(target.table, modeOf(target))
      const locked = await tx.all(text, [this.#statements.dialect.list(ids)])
      const present = new Set(locked.map(([id]) => Number(id)))
      for (const id of ids) if (!present.has(id)) gone.add(`${type} ${id}`)
    }
    return links.filter(({ id, type }) => !gone.has(`${type} ${id}`))
  }

  /** Returns whether only the entry itself can need a lock, as in most writes, which then need no promise. */
  #isLockless({ lockedWith }: OpenWrite, { entry }: Input): boolean {
    return lockedWith.length === 0 && !locksLinked(this.#registry, entry)
  }

  async #locksOf({ type, lockedWith }: OpenWrite, { entry }: Input): Promise<RowLocks> {
    const locks = new RowLocks()
    locks.addLinked(this.#registry, entry)
    for (const find of lockedWith) locks.add(type, await find(), 'change')
    return locks
  }
}

/**
 * Returns whether the UPDATE locks the entry too late or not at all: rules and `onLock` hooks test what no other write
 * changes, and some updates change relations or components, but no column of the row of the entry.
 */
function isUnlocked({ target, result, hooks }: OpenWrite, { entry }: Input): boolean {
  if (target !== null || result !== null || hooks.onLock !== null) return true
  const { scalars, relations, components } = entry
  return scalars.size === 0 && relations.length + components.length > 0
}

/**
 * Returns the names of advisory locks for what must be unique without a unique index: values in lists of components,
 * and values of which old rows are equal, so that the database has no index. A write locks the names of its values
 * first, so that the checks need no serializable transaction, and writes of other values do not conflict.
 */
export function valueLocks({ uniques }: Input, { unenforced }: Divergence): readonly string[] {
  if (uniques.length === 0) return noNames
  const names = new Set<string>()
  for (const { type, values } of uniques) {
    if (type.kind !== 'component' && !isUnenforced(unenforced, type, values)) continue
    // Of several attributes, two writes may each send another one, and so meet in no value.
    if (values.size > 1) names.add(indexKey(type.table, columnsOf(values)))
    else
      for (const [{ column }, value] of values)
        if (value !== null && value !== undefined) names.add(`${type.table}.${column} ${bucketOf(String(value))}`)
  }
  return [...names]
}

type Values = ReadonlyMap<ScalarAttribute, unknown>

function isUnenforced(unenforced: ReadonlySet<string>, { table }: ContentType, values: Values): boolean {
  return unenforced.size > 0 && unenforced.has(indexKey(table, columnsOf(values)))
}

function columnsOf(values: Values): string[] {
  return [...values.keys()].map(one => one.column)
}

/** Returns the name of the advisory lock for the entry of a single type. */
export function singleLock(type: ContentType): string {
  return `${type.table} single`
}

/** FNV-1a of the text without case, accents and trailing spaces, because collations may treat such texts as equal. */
function bucketOf(value: string): number {
  const folded = value.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trimEnd()
  let hash = 0x811c9dc5
  for (let i = 0; i < folded.length; i++) hash = Math.imul(hash ^ folded.charCodeAt(i), 0x01000193)
  return (hash >>> 0) % buckets
}
