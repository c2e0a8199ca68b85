// The interface that a plugin that keeps files provides for exports and imports, as the service `upload.transfer`. This
// package does not depend on the plugin.

import type { Readable } from 'node:stream'
import type { Kernel } from '@plinth/kernel'
import type { TransferRow } from './tables/tables.ts'

/** The stored files of an application. */
export interface FileStore {
  /** The uid of the type of the records. */
  readonly uid: string
  /** Returns the keys of the files of a record; none if they cannot be read here. */
  keysOf(row: TransferRow): readonly string[]
  /** Returns whether a file may have this key. */
  accepts(key: string): boolean
  /** Reads a file; rejects with the code ENOENT if it is not there. */
  open(row: TransferRow, key: string): Promise<Readable>
  /** Stores a file, in place of an earlier one. */
  store(key: string, stream: Readable, size: number, signal: AbortSignal): Promise<void>
  /** Returns the record with the URLs that its files have in this application. */
  relocate(row: TransferRow): TransferRow
  /** Removes the files of a record. */
  remove(row: TransferRow): Promise<void>
}

/** Returns the stored files of an application; null if no plugin keeps any. */
export function fileStoreOf(kernel: Kernel): FileStore | null {
  // The name of the service has no declared type here, where the plugin is not imported.
  return kernel.services.find('upload', 'transfer' as string) as FileStore | null
}
