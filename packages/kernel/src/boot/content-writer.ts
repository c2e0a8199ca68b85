// The interface of the writer for transports and plugins, as `kernel.writer`. Code that needs entries as objects uses
// `kernel.query`.

import type { Write } from '../hooks/write.ts'
import type { ReadResult } from '../result/execution.ts'
import type { CreateRequest, DeleteRequest, EntrySource, LinkRequest, UpdateRequest } from '../write/requests.ts'

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
   * Returns whether the rules of plugins let the caller link an entry by a relation of a new entry, for routes that
   * must answer a hidden entry like a missing one before they write. Always true for the system. Throws UsageError for
   * a relation that may lead to entries of several types.
   */
  mayLink(request: LinkRequest): Promise<boolean>
  readonly entries: EntrySource
}
