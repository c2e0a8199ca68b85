// One write, as hooks and lifecycles see it.

import type { Entry } from '../answer/rows.ts'
import type { Context } from '../context.ts'
import type { Transaction } from '../database/session.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Params } from '../query/parse.ts'

/** How complete an entry must be. `all`: as on create; `sent`: what is sent must fit; `none`: a draft. */
export type Completeness = 'full' | 'partial' | 'draft'

export type WriteAction = 'create' | 'update' | 'delete'

/** One write, as hooks see it. */
export interface Write {
  readonly type: ContentType
  readonly action: WriteAction
  /** Null until a created entry has its id. */
  readonly id: number | null
  /** What was sent, in the form in which it was sent, but for objects whose conversion throws; `preWrite` hooks may change it. */
  readonly data: Record<string, unknown>
  /** What the answer is asked for: fields, populate, plugins' parameters. */
  readonly params: Params
  readonly context: Context
  /** The moment of the write, ISO. */
  readonly now: string
  /** No other entry of the type may exist; true for single types, `preWrite` hooks may change it. */
  singleton: boolean
  /**
   * Names entries of the same type that are changed together with this one; for `preWrite` hooks. `find` is called inside the
   * transaction, before anything is changed, and the entries it gives are locked together with the write's own in the order of
   * their ids, so that two writes of one group do not wait for each other. Not called where the database has one writer.
   */
  lock(find: () => Promise<Iterable<number>>): void
  /** No other write may come between what is looked at and the COMMIT; `preWrite` hooks of a creation may set it. */
  serializable: boolean
  /**
   * How complete the entry must be; `preWrite` hooks may change it. A function is asked only where `sent` finds faults: most
   * updates need not look at the entry first.
   */
  completeness: Completeness | (() => Promise<Completeness>)
  /** The running transaction; null before BEGIN. */
  readonly tx: Transaction | null
  /** Free for plugins, by their name: what a `preWrite` hook found out for its `onWrite`. */
  readonly state: Record<string, unknown>
  /** The entry before the write, all scalars; null where there was none. */
  before(): Promise<Entry | null>
  /** The entry after the write, all scalars; inside the transaction. */
  after(): Promise<Entry | null>
}
