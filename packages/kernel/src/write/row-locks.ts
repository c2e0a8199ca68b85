// Locks rows before a write changes anything: entries that it takes from other entries, entries that it links to
// without a foreign key, and entries that are changed together with its own. All writes lock in the same order, by
// table and id, so that they cannot deadlock. Only for databases with several writers; knows nothing of hooks.

import type { Transaction } from '../connection/session.ts'
import { type ContentType, inverseOfMorph, type RelationAttribute, takesTargets } from '../model/content-type.ts'
import type { Registry } from '../model/registry.ts'
import type { LockMode } from '../sql/locks.ts'
import type { WriteStatements } from '../sql/writes/statements.ts'
import type { InputEntry } from './parse.ts'
import { refsOf } from './relation-input.ts'

/** `change` prevents other writes from changing a row, `share` from deleting it. */
export type LinkLock = Exclude<LockMode, 'remove'>

interface LockedTable {
  readonly type: ContentType
  readonly ids: Set<number>
  mode: LinkLock
}

/** A set of rows that are locked together. */
export class RowLocks {
  readonly #tables = new Map<string, LockedTable>()

  get isEmpty(): boolean {
    return this.#tables.size === 0
  }

  /** Adds rows. All rows of a table are locked in the strongest mode that was added for it. */
  add(type: ContentType, ids: Iterable<number>, mode: LinkLock): void {
    const locked = this.#tables.get(type.table) ?? { type, ids: new Set(), mode }
    this.#tables.set(type.table, locked)
    if (mode === 'change') locked.mode = 'change'
    for (const id of ids) if (!Number.isNaN(id)) locked.ids.add(id)
  }

  /** Adds the locks that the relations of an entry and of its components need. */
  addLinked(registry: Registry, { type: own, relations, components }: InputEntry): void {
    for (const { attribute, change } of relations) {
      for (const { id, type } of refsOf(change)) {
        const target = registry.require(attribute.target ?? type!)
        const mode = linkLock(own, attribute, target)
        if (mode !== null) this.add(target, [id], mode)
      }
    }
    for (const { items } of components) for (const item of items) this.addLinked(registry, item)
  }

  /** Locks the rows, and returns the ids of those of `type` that exist. */
  async take(tx: Transaction, statements: WriteStatements, type: ContentType): Promise<ReadonlySet<number>> {
    const present = new Set<number>()
    for (const [table, { ids, mode }] of [...this.#tables].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const list = statements.dialect.list([...ids].sort((a, b) => a - b))
      const rows = await tx.all(statements.lock(table, mode), [list])
      if (table === type.table) for (const [id] of rows) present.add(Number(id))
    }
    return present
  }
}

/** Returns whether the relations of an entry or of its components need locks. */
export function locksLinked(registry: Registry, { type: own, relations, components }: InputEntry): boolean {
  for (const { attribute, change } of relations) {
    const { target } = attribute
    if (refsOf(change).length > 0 && (target === null || linkLock(own, attribute, registry.require(target)) !== null))
      return true
  }
  return components.some(({ items }) => items.some(item => locksLinked(registry, item)))
}

/**
 * Returns the lock that the target of a link needs; null if a foreign key and a unique index protect the link.
 * Polymorphic links that both sides can write are locked, so that only one side writes at a time.
 */
function linkLock(own: ContentType, attribute: RelationAttribute, target: ContentType): LinkLock | null {
  if (takesTargets(attribute)) return 'change'
  switch (attribute.storage.kind) {
    case 'inverseMorphs':
    case 'inverseMorphColumns':
      return 'change'
    case 'morphs':
    case 'morphColumns':
      return morphLock(own, attribute, target)
    default:
      return null
  }
}

/** Returns the lock that the target of a polymorphic relation needs. */
export function morphLock(own: ContentType, attribute: RelationAttribute, target: ContentType): LinkLock {
  return inverseOfMorph(own, attribute, target) === null ? 'share' : 'change'
}
