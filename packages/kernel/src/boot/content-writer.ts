// The interface of the writer for transports and plugins, as `kernel.writer`. Code that needs entries as objects uses
// `kernel.query`.

import type { ReadResult } from '../answer/execution.ts'
import type { Entry } from '../answer/rows.ts'
import type { Context } from '../context.ts'
import type { Write } from '../hooks/write.ts'
import type { Params } from '../query/parse.ts'
import type { CreateRequest, DeleteRequest, LinkRequest, SingleRequest, UpdateRequest } from '../write/requests.ts'

/** Writes entries. A write returns a result like that of a read. */
export interface ContentWriter {
  /** Creates an entry. Throws ValidationError, ApplicationError, ForbiddenError. */
  create(request: CreateRequest): Promise<ReadResult>
  /** Changes an entry; attributes that were not sent stay. Throws NotFoundError if there is none. */
  update(request: UpdateRequest): Promise<ReadResult>
  /** Changes the entry of a single type, or creates it. */
  put(request: CreateRequest): Promise<ReadResult>
  /** Deletes an entry and answers it as it was. Throws NotFoundError if there is none. */
  delete(request: DeleteRequest): Promise<ReadResult>
  /**
   * For `onWrite` hooks: links more entries of the written type to the entry `id` of that type, by the relation `name`.
   * Nothing else of them changes, and no hook runs.
   */
  link(write: Write, id: number, name: string, ids: readonly number[]): Promise<void>
  /**
   * Whether the rules of plugins let the caller link an entry by a relation of a new entry, for routes that must answer a
   * hidden entry like a missing one before they write. Always true for the system. Throws UsageError for a relation
   * that may lead to entries of several types.
   */
  mayLink(request: LinkRequest): Promise<boolean>
  readonly entries: EntrySource
}

/** Reads entries for hooks of writes, inside the transaction, also entries that plugins hide from callers. */
export interface EntrySource {
  /** An entry with all scalars, also private ones, and with what `params` populates; null if there is none. */
  read(uid: string, id: number, context: Context, params?: Params): Promise<Entry | null>
  /** These attributes of an entry, with components, as data for a write that copies them; null if there is no entry. */
  copy(uid: string, id: number, names: readonly string[], context: Context): Promise<Record<string, unknown> | null>
  /** Whether the rules of plugins let the caller change an entry. Always true for the system. */
  mayChange(uid: string, id: number, context: Context): Promise<boolean>
  /** The id of the entry of a single type that the action would change, given the filters; null if there is none. */
  findSingle(request: SingleRequest): Promise<number | null>
}
