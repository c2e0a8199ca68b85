// Brings an archive into a database: rows in transactions that also note how far the import is, and stored files. An
// interrupted import continues behind the last transaction. Knows no options and asks nothing.

import { Readable } from 'node:stream'
import type { Kernel } from '@plinth/kernel'
import type { ArchiveFile } from '../archive/archive-reader.ts'
import type { FileStore } from '../file-store.ts'
import { type Visitor, type Walk, walk } from '../format/walk.ts'
import type { Part } from '../parts.ts'
import { showRows } from '../schema-state.ts'
import { readTables } from '../tables/read.ts'
import { TransferWriter } from '../tables/write.ts'
import { ImportRecord, type ImportState } from './record.ts'
import { RowQueue } from './row-queue.ts'
import { TableSet } from './table-set.ts'

/** The archive that is imported, and the application for it. */
export interface Import {
  readonly kernel: Kernel
  readonly store: FileStore | null
  readonly parts: ReadonlySet<Part>
  readonly reading: Walk
  /** True if the archive has stored files, so that records of files get the URLs of this application. */
  readonly hasFiles: boolean
  /** Ends the import behind the next transaction. */
  readonly signal: AbortSignal
}

/**
 * Continues an import from its state to its end. `onRows` receives the number of rows written so far. Throws what the
 * signal gives as its reason if it is aborted.
 */
export async function importArchive(
  { kernel, store, parts, reading, hasFiles, signal }: Import,
  state: ImportState,
  onRows: (rows: number) => void,
): Promise<void> {
  const record = new ImportRecord(kernel)
  const tables = new TableSet(kernel)
  let from = state
  if (from.stage === 'emptying') {
    await empty(kernel, tables, parts.has('files') ? store : null)
    signal.throwIfAborted()
    const next: ImportState = { ...from, stage: 'writing' }
    await record.begin(next)
    from = next
  }
  const relocate = hasFiles && parts.has('files') ? store : null
  const queue = new RowQueue({ kernel, record, tables, relocate, onRows, signal }, from)
  const visitor: Visitor = {
    items: (items, next, at) => (parts.has('content') ? queue.add(items, next, at) : Promise.resolve()),
    async asset(key, file, next) {
      await queue.flush()
      if (parts.has('files') && store !== null) await storeFile(store, { key, file, signal })
      await queue.moveTo(next)
    },
  }
  await walk(reading, from, visitor)
  await queue.flush()
  await continueIds(kernel, tables)
  await showRows(kernel)
  await record.end()
}

/** Deletes all rows, links first, and before them the stored files of the records. */
async function empty(kernel: Kernel, { all }: TableSet, store: FileStore | null): Promise<void> {
  if (store !== null)
    await readTables(kernel, async ({ tables, pages }) => {
      const table = tables.find(one => one.name === store.uid)
      if (table === undefined) return
      for await (const page of pages(table)) for (const row of page) await store.remove(row)
    })
  const writer = new TransferWriter(kernel)
  for (const table of all.toReversed()) await kernel.transaction(tx => writer.empty(tx, table))
}

async function continueIds(kernel: Kernel, { all }: TableSet): Promise<void> {
  const writer = new TransferWriter(kernel)
  await kernel.transaction(async tx => {
    for (const table of all) await writer.continueIds(tx, table)
  })
}

interface StoredFile {
  readonly key: string
  readonly file: ArchiveFile
  readonly signal: AbortSignal
}

async function storeFile(store: FileStore, { key, file, signal }: StoredFile): Promise<void> {
  const stream = Readable.from(file.content)
  try {
    await store.store(key, stream, file.size, signal)
  } finally {
    stream.destroy()
  }
}
