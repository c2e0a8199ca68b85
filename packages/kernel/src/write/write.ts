// One write, as hooks and the writer see it.

import type { Context } from '../context.ts'
import type { Transaction } from '../database/session.ts'
import type { Prepared, ReadResult } from '../engine.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Params } from '../query/parse.ts'
import type { Entry } from '../rows.ts'
import type { Requirement } from './parse.ts'

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
  alone: boolean
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
  require: Requirement | (() => Promise<Requirement>)
  /** The running transaction; null before BEGIN. */
  readonly tx: Transaction | null
  /** Free for plugins, by their name: what a `preWrite` hook found out for its `onWrite`. */
  readonly state: Record<string, unknown>
  /** The entry before the write, all scalars; null where there was none. */
  before(): Promise<Entry | null>
  /** The entry after the write, all scalars; inside the transaction. */
  after(): Promise<Entry | null>
}

/** `isRead`: somebody asked for the entry as it was before. */
export type OpenWrite = { -readonly [Key in keyof Write]: Write[Key] } & {
  isRead: boolean
  /** What the entry looked like when somebody looked at it; null where nobody did. */
  look: string | null
  /** What `lock` was given. */
  readonly lockedWith: (() => Promise<Iterable<number>>)[]
}

/** The answer of a write, to be serialized like that of a read. */
export type WriteResult = ReadResult & { readonly prepared: Prepared }

/** The row that a write gave back, as its answer; null where it gave none. */
export function answerOf(asked: Prepared, row: unknown[] | null): WriteResult | null {
  if (row === null) return null
  return { rows: { node: asked.compiled.root, rows: [row], branches: [], meta: [] }, total: null, prepared: asked }
}

/** Finds the entry of a write where writes look for it. */
interface Entries {
  before(write: OpenWrite, id: number): Promise<Entry | null>
  read(uid: string, id: number, context: Context): Promise<Entry | null>
}

/** A write at its beginning. */
export function openWrite(
  { type, action, id, data, params, context }: Pick<Write, 'type' | 'action' | 'id' | 'data' | 'params' | 'context'>,
  entries: Entries,
): OpenWrite {
  let before: Promise<Entry | null> | null = null
  const isSingle = type.kind === 'singleType'
  const write: OpenWrite = {
    type,
    action,
    id,
    data,
    params,
    context,
    now: new Date().toISOString(),
    alone: isSingle,
    lock: find => void write.lockedWith.push(find),
    serializable: false,
    require: action === 'create' ? 'all' : 'sent',
    tx: null,
    state: {},
    isRead: false,
    look: null,
    lockedWith: [],
    before: () => {
      write.isRead = true
      before ??= id === null ? Promise.resolve(null) : entries.before(write, write.id!)
      return before
    },
    after: () => (write.id === null ? Promise.resolve(null) : entries.read(type.uid, write.id, context)),
  }
  return write
}
