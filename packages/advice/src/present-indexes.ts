// The indexes of the database, and which of them serves a need. Reads the catalogue, and changes nothing.

import type { ContentType, Kernel, Uid } from '@plinth/kernel'
import { databaseOf, inspect, type Present, type PresentIndex } from '@plinth/kernel/tables'
import type { FindType, Need } from './need.ts'

/** The indexes of all tables, at one moment. */
export class PresentIndexes {
  readonly #present: Present
  readonly #findType: FindType
  readonly #fit: (name: string) => string

  /** `fit` returns a name as the database has it. */
  constructor(present: Present, findType: FindType, fit: (name: string) => string) {
    this.#present = present
    this.#findType = findType
    this.#fit = fit
  }

  /** The name of an index that begins with the filtered or sorted columns; null if there is none. */
  serving(need: Need): string | null {
    const type = this.#findType(need.uid)
    if (type === undefined) return null
    const needWithColumns = { need, type, equal: need.equal.map(name => this.#column(type, name)) }
    return this.#indexesOf(need.uid).find(index => this.#serves(index, needWithColumns))?.name ?? null
  }

  /** Returns whether an index begins with one of the columns that a need compares with a value. */
  narrows({ uid, equal }: Need): boolean {
    const type = this.#findType(uid)
    if (type === undefined) return false
    const columns = equal.map(name => this.#column(type, name))
    return this.#indexesOf(uid).some(one => columns.includes(one.columns[0]!))
  }

  #indexesOf(uid: Uid): readonly PresentIndex[] {
    const table = this.#findType(uid)?.table
    const indexes = table === undefined ? undefined : this.#present.get(this.#fit(table))?.indexes
    return (indexes ?? []).filter(one => one.fault === undefined)
  }

  #column(type: ContentType, name: string): string {
    const attribute = type.attributes.get(name)
    return attribute?.kind === 'scalar' ? this.#fit(attribute.column) : name
  }

  #serves(
    { columns, descending = [] }: PresentIndex,
    { need, type, equal }: { readonly need: Need; readonly type: ContentType; readonly equal: readonly string[] },
  ): boolean {
    // Of the entries that one comparison finds, the others are few.
    if (!need.isSort) return [...equal, ...need.keys.map(one => this.#column(type, one.name))].includes(columns[0]!)
    if (!columns.slice(0, equal.length).every(column => equal.includes(column))) return false
    if (columns.length < equal.length) return false
    return need.keys.every(({ name, isDescending }, i) => {
      const column = columns[equal.length + i]
      if (column !== this.#column(type, name)) return false
      return descending.includes(column) === isDescending
    })
  }
}

/** Reads the indexes that are there now. */
export async function readIndexes(kernel: Kernel): Promise<PresentIndexes> {
  const database = databaseOf(kernel)
  const present = await database.readUnlimited(session => inspect(database.ddl.catalogue, session))
  return new PresentIndexes(
    present,
    uid => kernel.contentTypes.get(uid),
    name => database.ddl.fit(name),
  )
}
