// Compiles the statements on the rows of one link table, as seen from one of its sides. Independent of the links that a
// write sets.

import type { LinkTable } from '../../model/content-type.ts'
import type { Dialect } from '../dialect.ts'
import { places } from '../insert.ts'

/** Statements of a link table. */
export class LinkStatements {
  /** Selects the targets of an entry and their places, in their order. */
  readonly read: string
  /** Removes links of an entry to a list of targets. */
  readonly remove: string
  /** Unlinks a list of targets from all entries except one. */
  readonly take: string
  /** Moves the links of an entry to a list of targets by a number of places; null if the table has no places. */
  readonly shift: string | null
  /**
   * The last place among the links of a target, as an expression. There is one per target: each takes one index seek,
   * while a grouped statement sometimes scans all links.
   */
  readonly lastPlace: string
  readonly #dialect: Dialect
  readonly #columns: readonly string[]
  readonly #table: string
  /** Texts by number of targets, and by number of rows. */
  readonly #lastPlaces: string[] = []
  readonly #inserts: string[] = []

  constructor(dialect: Dialect, { table, from, to, order, inverseOrder }: LinkTable) {
    const q = (name: string) => dialect.quote(name)
    this.#dialect = dialect
    this.#columns = [from, to, order, inverseOrder].filter(name => name !== null)
    this.#table = q(table)
    const ofEntry = `${q(from)} = ?`
    const toSome = dialect.within(q(to))
    const [place, by] = order === null ? ['NULL', q('id')] : [q(order), `${q(order)}, ${q('id')}`]
    this.read = dialect.finish(`SELECT ${q(to)}, ${place} FROM ${q(table)} WHERE ${ofEntry} ORDER BY ${by}`)
    this.remove = dialect.finish(`DELETE FROM ${q(table)} WHERE ${ofEntry} AND ${toSome}`)
    this.take = dialect.finish(`DELETE FROM ${q(table)} WHERE ${toSome} AND ${q(from)} <> ?`)
    const moved = `FLOOR(COALESCE(${place}, 0)) + ${dialect.number}`
    this.shift =
      order === null
        ? null
        : dialect.finish(`UPDATE ${q(table)} SET ${place} = ${moved} WHERE ${ofEntry} AND ${toSome}`)
    this.lastPlace =
      inverseOrder === null
        ? 'NULL'
        : `(SELECT MAX(${q(inverseOrder)}) FROM ${q(table)} WHERE ${q(to)} = ${dialect.sentId})`
  }

  /** Selects the last places of this number of targets. */
  lastPlaces(targets: number): string {
    this.#lastPlaces[targets] ??= this.#dialect.finish(`SELECT ${Array(targets).fill(this.lastPlace).join(', ')}`)
    return this.#lastPlaces[targets]
  }

  /** Inserts this number of links: entry, target, and the places that the table has. */
  insert(rows: number): string {
    this.#inserts[rows] ??= this.#insertText(rows)
    return this.#inserts[rows]
  }

  #insertText(rows: number): string {
    const columns = this.#columns.map(name => this.#dialect.quote(name)).join(', ')
    const values = Array(rows)
      .fill(`(${places(this.#columns.length)})`)
      .join(', ')
    return this.#dialect.finish(`INSERT INTO ${this.#table} (${columns}) VALUES ${values}`)
  }
}
