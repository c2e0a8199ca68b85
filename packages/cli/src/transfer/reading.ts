// Brings an archive into a database: rows in transactions that also note how far the import is, and stored files. An
// interrupted import continues behind the last transaction. Knows no options and asks nothing.

import { Readable } from 'node:stream'
import type { Kernel } from '@plinth/kernel'
import {
  ImportRecord,
  type ImportState,
  readTables,
  type TransferRow,
  type TransferTable,
  TransferWriter,
} from '@plinth/kernel/transfer'
import { Failure } from '../failure.ts'
import type { ArchiveFile } from './archive-reader.ts'
import type { FileStore } from './file-store.ts'
import { showRows } from './schema-state.ts'
import type { Item } from './items.ts'
import type { Part } from './parts.ts'
import { TableSet } from './survey.ts'
import { type Place, type Visitor, type Walk, walk } from './walk.ts'

/** A transaction has at most so many rows. */
const mostRows = 1000

/** What is imported, and into what. */
export interface Import {
  readonly kernel: Kernel
  readonly store: FileStore | null
  readonly parts: ReadonlySet<Part>
  readonly reading: Walk
  /** Whether the archive has stored files, so that records of files get the URLs of this application. */
  readonly hasFiles: boolean
  /** Ends the import behind the next transaction. */
  readonly signal: AbortSignal
}

/**
 * Continues an import from its state to its end. `onRows` is told the number of rows written so far. Throws what the
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
  const filling = new Filling({ kernel, record, tables, relocate, onRows, signal }, from)
  const visitor: Visitor = {
    items: (items, next) => (parts.has('content') ? filling.add(items, next) : Promise.resolve()),
    async asset(key, file, next) {
      await filling.flush()
      if (parts.has('files') && store !== null) await storeFile(store, { key, file, signal })
      await filling.moveTo(next)
    },
  }
  await walk(reading, from, visitor)
  await filling.flush()
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

interface FillingTools {
  readonly kernel: Kernel
  readonly record: ImportRecord
  readonly tables: TableSet
  /** Changes the records of files; null if they stay as they are. */
  readonly relocate: FileStore | null
  readonly onRows: (rows: number) => void
  readonly signal: AbortSignal
}

/** Collects rows, and writes them together with the place behind them. */
class Filling {
  readonly #tools: FillingTools
  readonly #writer: TransferWriter
  #state: ImportState
  #next: Place
  /** Rows by table, in the order in which the tables were met: a row follows those that it refers to. */
  #rows = new Map<TransferTable, TransferRow[]>()
  #sets: { readonly table: TransferTable; readonly id: number; readonly row: TransferRow }[] = []
  #waiting = 0
  #written = 0

  constructor(tools: FillingTools, state: ImportState) {
    this.#tools = tools
    this.#writer = new TransferWriter(tools.kernel)
    this.#state = state
    this.#next = state
  }

  async add(items: readonly Item[], next: Place): Promise<void> {
    for (const item of items) this.#addOne(item)
    this.#next = next
    if (this.#waiting >= mostRows) await this.flush()
  }

  #addOne(item: Item): void {
    const { tables, relocate } = this.#tools
    // What the model lacks was listed, and is left out.
    if (!tables.takes(item)) return
    const table = tables.get(item.table)!
    this.#waiting++
    if (item.kind === 'set') {
      this.#sets.push({ table, id: item.id, row: item.row })
      return
    }
    const isMoved = relocate !== null && item.hasFiles && table.name === relocate.uid
    const rows = this.#rows.get(table) ?? []
    rows.push(isMoved ? relocate.relocate(item.row) : item.row)
    this.#rows.set(table, rows)
  }

  /** Writes what was collected. */
  async flush(): Promise<void> {
    if (this.#next.file === this.#state.file && this.#next.line === this.#state.line) return
    await this.moveTo(this.#next)
  }

  /** Writes what was collected, and notes the place. */
  async moveTo(next: Place): Promise<void> {
    const { kernel, record, onRows, signal } = this.#tools
    const to: ImportState = { ...this.#state, file: next.file, line: next.line }
    await kernel.transaction(async tx => {
      if (!(await record.advance(tx, this.#state, to)))
        throw new Failure('Another process imports into the same database; this one has stopped')
      for (const [table, rows] of this.#rows) await this.#writer.insert(tx, table, rows)
      for (const { table, id, row } of this.#sets) await this.#writer.set(tx, table, id, row)
    })
    this.#written += this.#waiting
    this.#state = to
    this.#next = next
    this.#rows = new Map()
    this.#sets = []
    this.#waiting = 0
    onRows(this.#written)
    signal.throwIfAborted()
  }
}
