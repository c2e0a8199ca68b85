// Writes the rows of an application into an archive of Plinth's own format, and the list of its stored files. Knows no options.

import { type FileHandle, open } from 'node:fs/promises'
import type { ArchiveWriter } from '../archive/archive-writer.ts'
import type { FileStore } from '../file-store.ts'
import type { WrittenSums } from '../format/checksums.ts'
import type { Item } from '../format/items.ts'
import { maxLineBytes } from '../format/lines.ts'
import { format, lineOf, type Metadata, names, version } from '../format/own-format.ts'
import type { TransferReader } from '../tables/read.ts'
import type { TransferRow, TransferTable } from '../tables/tables.ts'
import { TransferError } from '../transfer-error.ts'
import type { OnProgress } from './progress.ts'
import type { ExportState, Written } from './state.ts'

/** The approximate size of a file of rows, in characters. */
const fileSize = 1_000_000

/** The rows, and what writes them. */
export interface RowSource {
  readonly reader: TransferReader
  /** Null if there are no files to write. */
  readonly store: FileStore | null
  readonly hasContent: boolean
  /** The path of the list of the stored files. */
  readonly list: string
  readonly sums: WrittenSums
  readonly onProgress: OnProgress
  readonly signal: AbortSignal
}

/** A line of the list: a record of the table of files, and the keys of its files. */
export interface ListedFile {
  readonly row: TransferRow
  readonly keys: readonly string[]
}

/** Writes the rows and the list. Returns the state behind them, which does not know the position in the archive. */
export async function writeRows(archive: ArchiveWriter, source: RowSource, state: ExportState): Promise<ExportState> {
  const parts = state.plan.parts.split(',')
  const metadata: Metadata = { format, version, createdAt: state.createdAt, parts }
  await archive.add(names.metadata, JSON.stringify(metadata, null, 2))
  const written = source.hasContent ? await writeContent(archive, source) : null
  const total = await writeList(source)
  return { ...state, stage: 'files', total, written: { ...state.written, ...written } }
}

type Content = Pick<Written, 'entries' | 'links' | 'dangling' | 'lines'>

async function writeContent(
  archive: ArchiveWriter,
  { reader, store, sums, onProgress, signal }: RowSource,
): Promise<Content> {
  const rows = new RowFiles(archive, sums)
  const total = await totalOf(reader)
  const counts = { entries: 0, links: 0, dangling: 0 }
  let done = 0
  for (const table of reader.tables) {
    for await (const page of reader.pages(table)) {
      signal.throwIfAborted()
      const whole = await withoutDangling(
        reader,
        table,
        page.map(row => withoutLate(table, row)),
      )
      for (const row of whole.rows) await rows.add(rowItem(table, row, store))
      counts[table.hasIds ? 'entries' : 'links'] += whole.rows.length
      counts.dangling += whole.dangling
      done += page.length
      onProgress(done / total, `${done} rows`)
    }
  }
  for (const table of reader.tables) counts.dangling += await addReferences(rows, table, { reader, signal })
  await rows.flush()
  return { ...counts, lines: rows.lines }
}

/**
 * The rows without what refers to rows that are gone, which no database with foreign keys could store: links are left out,
 * and references of entries become null.
 */
async function withoutDangling(
  reader: TransferReader,
  table: TransferTable,
  rows: readonly TransferRow[],
): Promise<{ readonly rows: readonly TransferRow[]; readonly dangling: number }> {
  const dangling = await reader.dangling(table, rows)
  if (dangling.length === 0) return { rows, dangling: 0 }
  const names = new Map<TransferRow, string[]>()
  for (const { row, name } of dangling) names.set(row, [...(names.get(row) ?? []), name])
  const { uidColumn } = table
  const emptied = (row: TransferRow) => {
    const danglingNames = names.get(row)
    if (danglingNames === undefined) return row
    const isTyped = table.references.some(({ name, table: target }) => target === null && danglingNames.includes(name))
    const nulls = [...danglingNames, ...(isTyped && uidColumn !== null ? [uidColumn] : [])]
    return { ...row, ...Object.fromEntries(nulls.map(name => [name, null])) }
  }
  return {
    rows: table.hasIds ? rows.map(emptied) : rows.filter(row => !names.has(row)),
    dangling: table.hasIds ? dangling.length : names.size,
  }
}

async function totalOf(reader: TransferReader): Promise<number> {
  let total = 0
  for (const table of reader.tables) total += await reader.count(table)
  return Math.max(1, total)
}

const lateIn = (table: TransferTable) => table.columns.filter(one => one.isLate).map(one => one.name)

/** Returns the row without the references that are set when all rows are there. */
function withoutLate(table: TransferTable, row: TransferRow): TransferRow {
  const late = lateIn(table)
  return late.length === 0 ? row : Object.fromEntries(Object.entries(row).filter(([name]) => !late.includes(name)))
}

function rowItem(table: TransferTable, row: TransferRow, store: FileStore | null): Item {
  const hasFiles = store !== null && table.name === store.uid && store.keysOf(row).length > 0
  return { kind: 'row', table: table.name, row, hasFiles }
}

/** Adds the references of columns, which may lead to rows of any table. Returns the number of those that were left out. */
async function addReferences(
  rows: RowFiles,
  table: TransferTable,
  { reader, signal }: Pick<RowSource, 'reader' | 'signal'>,
): Promise<number> {
  const late = lateIn(table)
  if (late.length === 0) return 0
  let leftOut = 0
  for await (const page of reader.pages(table)) {
    signal.throwIfAborted()
    const references = page.map(row => Object.fromEntries(['id', ...late].map(name => [name, row[name]])))
    const whole = await withoutDangling(reader, table, references)
    leftOut += whole.dangling
    for (const { id, ...row } of whole.rows) {
      const set = Object.entries(row).filter(([, value]) => value !== null)
      if (set.length > 0)
        await rows.add({ kind: 'set', table: table.name, id: id as number, row: Object.fromEntries(set) })
    }
  }
  return leftOut
}

/** Collects lines to files of an archive, whose sizes must be known before they are written. */
class RowFiles {
  readonly #archive: ArchiveWriter
  readonly #sums: WrittenSums
  #texts: string[] = []
  #size = 0
  #number = 0
  lines = 0

  constructor(archive: ArchiveWriter, sums: WrittenSums) {
    this.#archive = archive
    this.#sums = sums
  }

  async add(item: Item): Promise<void> {
    const text = lineOf(item)
    if (Buffer.byteLength(text) > maxLineBytes) throw tooLong(item)
    this.#texts.push(text)
    this.#size += text.length
    this.lines++
    if (this.#size >= fileSize) await this.flush()
  }

  async flush(): Promise<void> {
    if (this.#texts.length === 0) return
    await this.#archive.add(names.rows(++this.#number), this.#texts.join(''))
    this.#texts = []
    this.#size = 0
    if (this.#sums.isFull) await this.#sums.writeTo(this.#archive)
  }
}

/** Returns the error of a row that is too long: an import reads no such line, so the archive would be of no use. */
function tooLong(item: Item): TransferError {
  const id = item.kind === 'row' ? item.row.id : item.id
  return new TransferError(
    `${item.table} ${String(id)} has more than ${maxLineBytes / 1024 / 1024} MiB, and a row of an archive cannot: use the tools of the database`,
  )
}

/** Writes the list, and waits until it is on the disk. Returns the number of its lines. */
async function writeList({ reader, store, list, signal }: RowSource): Promise<number> {
  const table = store === null ? undefined : reader.tables.find(one => one.name === store.uid)
  const file = await open(list, 'w', 0o600)
  try {
    let total = 0
    if (table !== undefined)
      for await (const page of reader.pages(table)) {
        signal.throwIfAborted()
        total += await addPage(file, page, store!)
      }
    await file.sync()
    return total
  } finally {
    await file.close()
  }
}

async function addPage(file: FileHandle, page: readonly TransferRow[], store: FileStore): Promise<number> {
  const listed = page.map((row): ListedFile => ({ row, keys: store.keysOf(row) })).filter(one => one.keys.length > 0)
  await file.appendFile(listed.map(one => `${JSON.stringify(one)}\n`).join(''))
  return listed.length
}
