// The type of a write, as hooks and lifecycles receive it.

import type { Entry } from '../answer/rows.ts'
import type { Context } from '../context.ts'
import type { Transaction } from '../database/session.ts'
import type { ContentType, Uid } from '../model/content-type.ts'
import type { Params } from '../query/parse.ts'

/** How complete an entry must be. `full`: as on create; `partial`: what is sent must be valid; `draft`: as a draft. */
export type Completeness = 'full' | 'partial' | 'draft'

export type WriteAction = 'create' | 'update' | 'delete'

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
  /** What the answer contains: fields, populate, parameters of plugins. */
  readonly params: Params
  readonly context: Context
  /** The time of the write, in ISO format. */
  readonly now: string
  /** Whether the type may have no other entry. True for single types; `preWrite` hooks may change it. */
  singleton: boolean
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
  /** Whether no other write may come between its reads and its COMMIT; `preWrite` hooks of creations may set it. */
  serializable: boolean
  /**
   * How complete the entry must be; `preWrite` hooks may change it. A function is called only if `partial` finds
   * faults: most updates need not read the entry first.
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
