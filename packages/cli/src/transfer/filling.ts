// Writes the rows of an import in transactions that also note how far it is, and names the line that the database refuses.

import type { Kernel, Transaction } from '@plinth/kernel'
import {
  type ImportRecord,
  type ImportState,
  type TransferRow,
  type TransferTable,
  TransferWriter,
} from '@plinth/kernel/transfer'
import { Failure } from '../failure.ts'
import type { FileStore } from './file-store.ts'
import type { Item } from './items.ts'
import type { TableSet } from './survey.ts'
import type { Place } from './walk.ts'

/** A transaction has at most so many rows. */
const mostRows = 1000

/** A row, or references of one, and its line in the archive. */
interface Waiting {
  readonly table: TransferTable
  readonly row: TransferRow
  /** The id of the row whose references these are; null for a row that is inserted. */
  readonly id: number | null
  readonly at: string
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
export class Filling {
  readonly #tools: FillingTools
  readonly #writer: TransferWriter
  #state: ImportState
  #next: Place
  /** A row follows those that it refers to. */
  #waiting: Waiting[] = []
  #written = 0

  constructor(tools: FillingTools, state: ImportState) {
    this.#tools = tools
    this.#writer = new TransferWriter(tools.kernel)
    this.#state = state
    this.#next = state
  }

  /** Adds the items of a line, which `at` names. */
  async add(items: readonly Item[], next: Place, at: string): Promise<void> {
    for (const item of items) this.#addOne(item, at)
    this.#next = next
    if (this.#waiting.length >= mostRows) await this.flush()
  }

  #addOne(item: Item, at: string): void {
    const { tables, relocate } = this.#tools
    // What the model lacks was listed, and is left out.
    if (!tables.takes(item)) return
    const table = tables.get(item.table)!
    const isMoved = relocate !== null && item.kind === 'row' && item.hasFiles && table.name === relocate.uid
    const row = isMoved ? relocate.relocate(item.row) : item.row
    this.#waiting.push({ table, row, id: item.kind === 'set' ? item.id : null, at })
  }

  /** Writes what was collected. */
  async flush(): Promise<void> {
    if (this.#next.file === this.#state.file && this.#next.line === this.#state.line) return
    await this.moveTo(this.#next)
  }

  /** Writes what was collected, and notes the place. Throws Failure with the line that the database refuses. */
  async moveTo(next: Place): Promise<void> {
    const { kernel, record, onRows, signal } = this.#tools
    const to: ImportState = { ...this.#state, file: next.file, line: next.line }
    const work = kernel.transaction(async tx => {
      if (!(await record.advance(tx, this.#state, to)))
        throw new Failure('Another process imports into the same database; this one has stopped')
      await this.#writeAll(tx)
    })
    await work.catch(async (error: unknown) => {
      throw error instanceof Failure ? error : ((await this.#refusal()) ?? error)
    })
    this.#written += this.#waiting.length
    this.#state = to
    this.#next = next
    this.#waiting = []
    onRows(this.#written)
    signal.throwIfAborted()
  }

  /** Writes the rows by table, in the order in which the tables were met, and then the references. */
  async #writeAll(tx: Transaction): Promise<void> {
    const inserted = Map.groupBy(
      this.#waiting.filter(one => one.id === null),
      one => one.table,
    )
    for (const [table, rows] of inserted)
      await this.#writer.insert(
        tx,
        table,
        rows.map(one => one.row),
      )
    for (const { table, row, id } of this.#waiting) if (id !== null) await this.#writer.set(tx, table, id, row)
  }

  /**
   * The first line that the database refuses, found by writing each alone in a transaction that is rolled back; null if it
   * refuses none of them, so that the error was another one.
   */
  async #refusal(): Promise<Failure | null> {
    let refusal: Failure | null = null
    const rollback = new Failure('rolled back')
    const work = this.#tools.kernel.transaction(async tx => {
      refusal = null
      const rows = this.#waiting.filter(one => one.id === null)
      for (const one of [...rows, ...this.#waiting.filter(one => one.id !== null)]) {
        const [lacking] = await this.#writer.dangling(tx, one.table, [one.row])
        const isRefused = lacking !== undefined && lacking.target !== null && !isPolymorphic(one.table, lacking.name)
        try {
          if (isRefused) throw new Failure(`there is no row ${lacking.id} in the table ${lacking.target}`)
          if (one.id === null) await this.#writer.insert(tx, one.table, [one.row])
          else await this.#writer.set(tx, one.table, one.id, one.row)
        } catch (error) {
          refusal = new Failure(`${one.at}: ${named(one)} cannot be stored: ${(error as Error).message}`)
          throw rollback
        }
      }
      throw rollback
    })
    await work.catch(() => {})
    return refusal
  }
}

/** Whether no foreign key guards a reference: its table is the row's to say. */
const isPolymorphic = ({ references }: TransferTable, name: string) =>
  references.some(one => one.name === name && one.table === null)

/** The row of an error message: by its id, or a link by what it links. Other values may be secret. */
function named({ table, row, id }: Waiting): string {
  if (table.hasIds) return `${table.name} ${id ?? String(row.id)}`
  const links = table.references.map(({ name }) => `${name} ${String(row[name] ?? null)}`)
  return `${table.name} (${links.join(', ')})`
}
