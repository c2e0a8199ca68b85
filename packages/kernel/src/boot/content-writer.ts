// What transports and plugins may use of the writer, as `kernel.writer`. Code that wants entries as objects uses `kernel.query`.

import type { ReadResult } from '../answer/execution.ts'
import type { Entry } from '../answer/rows.ts'
import type { Context } from '../context.ts'
import type { Write } from '../hooks/write.ts'
import type { Params } from '../query/parse.ts'

/** Writes entries. What a write answers has the form of a read; `meta` says whether entries carry their own `meta`. */
export interface ContentWriter {
  /** Creates an entry. Throws ValidationError, ApplicationError, ForbiddenError. */
  create(uid: string, data: unknown, params: Params, context: Context, meta?: boolean): Promise<ReadResult>
  /** Changes an entry; attributes that were not sent stay. Throws NotFoundError if there is none. */
  update(uid: string, id: number, data: unknown, params: Params, context: Context, meta?: boolean): Promise<ReadResult>
  /** Changes the entry of a single type, or creates it. */
  put(uid: string, data: unknown, params: Params, context: Context, meta?: boolean): Promise<ReadResult>
  /** Deletes an entry and answers it as it was. Throws NotFoundError if there is none. */
  delete(uid: string, id: number, params: Params, context: Context, meta?: boolean): Promise<ReadResult>
  /**
   * For `onWrite` hooks: links more entries of the type that is written to one of them, by the relation `name`. Nothing else of
   * either changes, and no hook runs.
   */
  link(write: Write, id: number, name: string, ids: readonly number[]): Promise<void>
  readonly entries: EntrySource
}

/** Reads entries for hooks of writes: past the rules that hide entries from callers, and inside the transaction of a write. */
export interface EntrySource {
  /** An entry with all attributes, private ones too, and what `params` populates; null if there is none. */
  read(uid: string, id: number, context: Context, params?: Params): Promise<Entry | null>
  /** These attributes of an entry, components included, as data of which a write makes the same again; null if there is none. */
  copy(uid: string, id: number, names: readonly string[], context: Context): Promise<Record<string, unknown> | null>
  /** The id of the entry of a single type that the action would change, with its filters; null if there is none. */
  findSingle(uid: string, action: 'update' | 'delete', params: Params, context: Context): Promise<number | null>
}
