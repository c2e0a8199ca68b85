// The tables of a model by their names, compared with the rows of an archive.

import type { Kernel } from '@plinth/kernel'
import type { RowItem, SetItem } from '../format/items.ts'
import { type TransferTable, transferTables } from '../tables/tables.ts'

/** The attribute that hides an entry, if it is null: that of drafts, also where no plugin knows drafts. */
const ofDrafts = 'publishedAt'

/** The tables of a model by their names, and what a row has that they lack. */
export class TableSet {
  readonly #kernel: Kernel
  readonly all: readonly TransferTable[]
  readonly #byName: ReadonlyMap<string, TransferTable>
  readonly #columns = new Map<TransferTable, ReadonlySet<string>>()

  constructor(kernel: Kernel) {
    this.#kernel = kernel
    this.all = transferTables(kernel.contentTypes)
    this.#byName = new Map(this.all.map(table => [table.name, table]))
    for (const table of this.all) this.#columns.set(table, new Set(table.columns.map(one => one.name)))
  }

  /** Returns a table by its name. */
  get(name: string): TransferTable | undefined {
    return this.#byName.get(name)
  }

  /** Returns the names in an item that the model does not have; those without a value are not counted. */
  unknownIn({ table: name, row }: RowItem | SetItem): string[] {
    const table = this.#byName.get(name)
    if (table === undefined) return [name]
    const columns = this.#columns.get(table)!
    const unknown = Object.keys(row).filter(key => !columns.has(key) && !isNothing(row[key]))
    return [...unknown.map(key => `${name}.${key}`), ...this.#unknownTarget(table, row)]
  }

  /**
   * Returns whether the row is of an entry that is hidden where it comes from, by an attribute that its type does not
   * have here.
   */
  isShownHere({ table: name, row }: RowItem | SetItem): boolean {
    const table = this.#byName.get(name)
    if (table === undefined || !table.hasIds) return false
    const { attributes, retired } = table.type
    return [ofDrafts, ...retired.map(one => one.attribute.name)].some(one => !attributes.has(one) && row[one] === null)
  }

  /** Returns whether the row can be stored, perhaps without some attributes. */
  takes({ table: name, row }: RowItem | SetItem): boolean {
    const table = this.#byName.get(name)
    return table !== undefined && this.#unknownTarget(table, row).length === 0
  }

  /** Returns the type to which a polymorphic link or a place of a component leads, if the model does not have it. */
  #unknownTarget({ uidColumn }: TransferTable, row: RowItem['row']): string[] {
    const uid = uidColumn === null ? null : row[uidColumn]
    return isNothing(uid) || this.#kernel.contentTypes.get(String(uid)) !== undefined ? [] : [String(uid)]
  }
}

/** Returns whether a value is empty. */
const isNothing = (value: unknown) =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0)
