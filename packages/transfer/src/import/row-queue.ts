// Writes the rows of an import in transactions that also note how far it is, and names the line that the database refuses.

import type { Kernel, Transaction } from '@plinth/kernel'
import { shownName } from '../archive/shown-name.ts'
import type { FileStore } from '../file-store.ts'
import type { Item } from '../format/items.ts'
import type { Place } from '../format/walk.ts'
import type { TransferRow, TransferTable } from '../tables/tables.ts'
import { TransferWriter } from '../tables/write.ts'
import { TransferError } from '../transfer-error.ts'
import type { ImportRecord, ImportState } from './record.ts'
import type { TableSet } from './table-set.ts'

/** The number of rows from which a transaction writes them. */
const maxRows = 1000

/** A row, or references of one, and its line in the archive. */
interface QueuedRow {
  readonly table: TransferTable
  readonly row: TransferRow
  /** The id of the row whose references these are; null for a row that is inserted. */
  readonly id: number | null
  readonly at: string
}

interface QueueTools {
  readonly kernel: Kernel
  readonly record: ImportRecord
  readonly tables: TableSet
  /** Changes the records of files; null if they stay as they are. */
  readonly relocate: FileStore | null
  readonly onRows: (rows: number) => void
  readonly signal: AbortSignal
}

/** Collects rows, and writes them together with the place behind them. */
export class RowQueue {
  readonly #tools: QueueTools
  readonly #writer: TransferWriter
  #state: ImportState
  #next: Place
  /** A row follows those that it refers to. */
  #rows: QueuedRow[] = []
  #written = 0

  constructor(tools: QueueTools, state: ImportState) {
    this.#tools = tools
    this.#writer = new TransferWriter(tools.kernel)
    this.#state = state
    this.#next = state
  }

  /** Adds the items of a line, which `at` names. */
  async add(items: readonly Item[], next: Place, at: string): Promise<void> {
    for (const item of items) this.#addOne(item, at)
    this.#next = next
    if (this.#rows.length >= maxRows) await this.flush()
  }

  #addOne(item: Item, at: string): void {
    const { tables, relocate } = this.#tools
    // Items that do not fit the model were listed, and are left out.
    if (!tables.takes(item)) return
    const table = tables.get(item.table)!
    const isMoved = relocate !== null && item.kind === 'row' && item.hasFiles && table.name === relocate.uid
    const row = isMoved ? relocate.relocate(item.row) : item.row
    this.#rows.push({ table, row, id: item.kind === 'set' ? item.id : null, at })
  }

  /** Writes what was collected. */
  async flush(): Promise<void> {
    if (this.#next.file === this.#state.file && this.#next.line === this.#state.line) return
    await this.moveTo(this.#next)
  }

  /** Writes what was collected, and notes the place. Throws TransferError with the line that the database refuses. */
  async moveTo(next: Place): Promise<void> {
    const { kernel, record, onRows, signal } = this.#tools
    const to: ImportState = { ...this.#state, file: next.file, line: next.line }
    const work = kernel.transaction(async tx => {
      if (!(await record.advance(tx, this.#state, to)))
        throw new TransferError('Another process imports into the same database; this one has stopped')
      await this.#writeAll(tx)
    })
    await work.catch(async (error: unknown) => {
      throw error instanceof TransferError ? error : ((await this.#refusal()) ?? error)
    })
    this.#written += this.#rows.length
    this.#state = to
    this.#next = next
    this.#rows = []
    onRows(this.#written)
    signal.throwIfAborted()
  }

  /** Writes the rows by table, in the order in which the tables were met, and then the references. */
  async #writeAll(tx: Transaction): Promise<void> {
    const insertedRows = Map.groupBy(
      this.#rows.filter(one => one.id === null),
      one => one.table,
    )
    for (const [table, rows] of insertedRows)
      await this.#writer.insert(
        tx,
        table,
        rows.map(one => one.row),
      )
    for (const { table, row, id } of this.#rows) if (id !== null) await this.#writer.set(tx, table, id, row)
  }

  /**
   * Finds the first line that the database refuses by writing each alone in a transaction that is rolled back; null if it
   * refuses none of them, so that the error was another one.
   */
  async #refusal(): Promise<TransferError | null> {
    let refusal: TransferError | null = null
    const rollback = new TransferError('rolled back')
    const work = this.#tools.kernel.transaction(async tx => {
      refusal = null
      const rows = this.#rows.filter(one => one.id === null)
      for (const one of [...rows, ...this.#rows.filter(one => one.id !== null)]) {
        const [missing] = await this.#writer.dangling(tx, one.table, [one.row])
        const isRefused = missing !== undefined && missing.target !== null && !isPolymorphic(one.table, missing.name)
        try {
          if (isRefused) throw new TransferError(`there is no row ${missing.id} in the table ${missing.target}`)
          if (one.id === null) await this.#writer.insert(tx, one.table, [one.row])
          else await this.#writer.set(tx, one.table, one.id, one.row)
        } catch (error) {
          refusal = new TransferError(`${one.at}: ${nameOf(one)} cannot be stored: ${(error as Error).message}`)
          throw rollback
        }
      }
      throw rollback
    })
    await work.catch(() => {})
    return refusal
  }
}

/** Returns whether no foreign key guards a reference, because the row itself names the table. */
const isPolymorphic = ({ references }: TransferTable, name: string) =>
  references.some(one => one.name === name && one.table === null)

/** Names a row in an error message: by its id, or a link by what it links. Other values may be secret. */
function nameOf({ table, row, id }: QueuedRow): string {
  if (table.hasIds) return `${table.name} ${id ?? shownName(String(row.id))}`
  const links = table.references.map(({ name }) => `${name} ${shownName(String(row[name] ?? null))}`)
  return `${table.name} (${links.join(', ')})`
}
