// The type of a write, as hooks and lifecycles receive it.

import type { Transaction } from '../connection/session.ts'
import type { Context } from '../context.ts'
import type { Attribute, ContentType, Uid } from '../model/content-type.ts'
import type { Params } from '../query/request.ts'
import type { Entry } from '../result/rows.ts'

/**
 * The degree to which an entry must be complete. `full`: as on create; `partial`: what is sent must be valid; `draft`:
 * as a draft.
 */
export type Completeness = 'full' | 'partial' | 'draft'

export type WriteAction = 'create' | 'update' | 'delete'

/** A value of an attribute in the data of a write. */
export interface WrittenValue {
  /** The type that has the attribute: that of the write, or a component. */
  readonly type: ContentType
  readonly attribute: Attribute
  /** The place of the value in the data: names, and places in lists, such as `['sections', 0, 'image']`. */
  readonly path: readonly (string | number)[]
  /** The value as it was sent, or as lifecycles and hooks before this one have changed it. It was not checked. */
  readonly value: unknown
}

/** Looks at a value of a write. What it returns replaces the value; undefined leaves it. It must be synchronous. */
export type VisitValue = (value: WrittenValue) => unknown

/** One write, as hooks receive it. */
export interface Write {
  readonly type: ContentType
  readonly action: WriteAction
  /** Null until a created entry has its id. */
  readonly id: number | null
  /** The data as it was sent, except for objects whose conversion throws. `preWrite` hooks may change it. */
  readonly data: Record<string, unknown>
  /**
   * The names of the attributes that the caller sent, apart from those that callers cannot write and relations that rules
   * have taken out. What lifecycles and hooks change in `data` does not change them. Only the top level: a component that
   * was sent is one name.
   */
  readonly sent: ReadonlySet<string>
  /** The parameters of the answer: fields, populate, parameters of plugins. */
  readonly params: Params
  readonly context: Context
  /** The time of the write, in ISO format. */
  readonly now: string
  /** True if the type may have no other entry. Set for single types; `preWrite` hooks may change it. */
  singleton: boolean
  /**
   * Calls `visit` for each value in the data that belongs to an attribute, also in components and items of dynamic zones;
   * for `preWrite` hooks. A component is visited before its attributes, and names without an attribute are left out. What
   * `visit` returns stands in the data of this write alone: objects that the caller passed are not changed. Such a hook
   * can collect the values of an attribute type, wherever they stand, and refuse the write afterwards.
   */
  visit(visit: VisitValue): void
  /**
   * Names entries of the same type that are changed together with this one; for `preWrite` hooks. `find` is called
   * inside the transaction, before anything is changed. The entries it returns are locked together with the write's
   * own, in the order of their ids, so that two writes of one group cannot deadlock. Not called if the database has one
   * writer.
   */
  lock(find: () => Promise<Iterable<number>>): void
  /**
   * Names entries of a content type that this write must not link; for `preWrite` hooks. If the data links one of them,
   * the write is refused as if there were no such entry (B-4.36).
   */
  hide(uid: Uid, ids: Iterable<number>): void
  /**
   * Adds a test of what other writes may have changed since; for `preWrite` hooks of creations and updates. `test` is called
   * inside the transaction, when the entry is written: what it reads of this entry, and of files and other entries that
   * are linked without a foreign key, stays so until the COMMIT. It refuses the write by an error. An `onWrite` hook can do
   * the same, but takes all writes of its types out of their short way; a test only those that ask for it.
   */
  check(test: () => Promise<void>): void
  /** True if no other write may come between its reads and its COMMIT; `preWrite` hooks of creations may set it. */
  serializable: boolean
  /**
   * The completeness that the entry must have; `preWrite` hooks may change it. A function is called only if `partial`
   * finds faults: most updates need not read the entry first.
   */
  completeness: Completeness | (() => Promise<Completeness>)
  /** The running transaction; null before BEGIN. */
  readonly tx: Transaction | null
  /** Values of plugins, by their name, such as those that a `preWrite` hook keeps for its `onWrite`. */
  readonly state: Record<string, unknown>
  /** The entry before the write, with all scalars; null if there was none. */
  before(): Promise<Entry | null>
  /** The entry after the write, with all scalars; read inside the transaction. */
  after(): Promise<Entry | null>
}
