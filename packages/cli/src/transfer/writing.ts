// Writes the rows of an application into an archive of Plinth's own format, and the list of its stored files. Knows no options.

import { type FileHandle, open } from 'node:fs/promises'
import type { TransferReader, TransferRow, TransferTable } from '@plinth/kernel/transfer'
import type { ArchiveWriter } from './archive-writer.ts'
import type { ExportState, Written } from './export-state.ts'
import type { FileStore } from './file-store.ts'
import type { Item } from './items.ts'
import { format, lineOf, type Metadata, names, version } from './own-format.ts'
import type { Progress } from './progress.ts'

/** Lines are collected to files of about so many characters. */
const fileSize = 1_000_000

/** What is needed to write the rows. */
export interface RowSource {
  readonly reader: TransferReader
  /** Null if there are no files to write. */
  readonly store: FileStore | null
  readonly hasContent: boolean
  /** The path of the list of the stored files. */
  readonly list: string
  readonly progress: Progress
  readonly signal: AbortSignal
}

/** A line of the list: a record of the table of files, and the keys of its files. */
export interface Listed {
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

async function writeContent(archive: ArchiveWriter, { reader, store, progress, signal }: RowSource): Promise<Content> {
  const rows = new RowFiles(archive)
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
      progress.show(done / total, `${done} rows`)
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
  const danglingRows = await reader.dangling(table, rows)
  if (danglingRows.length === 0) return { rows, dangling: 0 }
  const names = new Map<TransferRow, string[]>()
  for (const { row, name } of danglingRows) names.set(row, [...(names.get(row) ?? []), name])
  const { uidColumn } = table
  const emptied = (row: TransferRow) => {
    const gone = names.get(row)
    if (gone === undefined) return row
    const isTyped = table.references.some(({ name, table: target }) => target === null && gone.includes(name))
    const nulls = [...gone, ...(isTyped && uidColumn !== null ? [uidColumn] : [])]
    return { ...row, ...Object.fromEntries(nulls.map(name => [name, null])) }
  }
  return {
    rows: table.hasIds ? rows.map(emptied) : rows.filter(row => !names.has(row)),
    dangling: table.hasIds ? danglingRows.length : names.size,
  }
}

async function totalOf(reader: TransferReader): Promise<number> {
  let total = 0
  for (const table of reader.tables) total += await reader.count(table)
  return Math.max(1, total)
}

const lateIn = (table: TransferTable) => table.columns.filter(one => one.isLate).map(one => one.name)

/** The row without the references that are set when all rows are there. */
function withoutLate(table: TransferTable, row: TransferRow): TransferRow {
  const late = lateIn(table)
  return late.length === 0 ? row : Object.fromEntries(Object.entries(row).filter(([name]) => !late.includes(name)))
}

function rowItem(table: TransferTable, row: TransferRow, store: FileStore | null): Item {
  const hasFiles = store !== null && table.name === store.uid && store.keysOf(row).length > 0
  return { kind: 'row', table: table.name, row, hasFiles }
}

/** Adds the references of columns, which may lead to rows of any table. Returns how many were left out. */
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
  #texts: string[] = []
  #size = 0
  #number = 0
  lines = 0

  constructor(archive: ArchiveWriter) {
    this.#archive = archive
  }

  async add(item: Item): Promise<void> {
    const text = lineOf(item)
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
  }
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
  const listed = page.map((row): Listed => ({ row, keys: store.keysOf(row) })).filter(one => one.keys.length > 0)
  await file.appendFile(listed.map(one => `${JSON.stringify(one)}\n`).join(''))
  return listed.length
}
