// Columns of texts that are not utf8mb4, such as those of databases that MySQL 5.7 or a host made in latin1 or utf8mb3.
// Compared with a text that such a column cannot hold, the server refuses the statement, so the text is converted first:
// characters that the column lacks become `?`, and a second test tells that the text was changed.

import type { ColumnTests, Dialect, Session } from '@plinth/kernel/database'
import { bytes } from './dialect.ts'

/** The character set of a column, and its order. */
interface Charset {
  readonly charset: string
  readonly collation: string
}

const columnsText = `SELECT table_name, column_name, character_set_name, collation_name FROM information_schema.columns
  WHERE table_schema = DATABASE() AND character_set_name IS NOT NULL AND character_set_name <> 'utf8mb4'`

const keyOf = (table: string, column: string) => `${table}\0${column}`.toLowerCase()

/** The columns of a database that are not utf8mb4, as far as read() found them. */
export class NarrowColumns {
  readonly #tests = new Map<string, ColumnTests>()

  /** Finds them; returns the character sets by table. */
  async read(session: Session, dialect: Dialect): Promise<ReadonlyMap<string, string>> {
    this.#tests.clear()
    const tables = new Map<string, Set<string>>()
    for (const row of (await session.all(columnsText, [])) as [string, string, string, string][]) {
      const [table, column, charset, collation] = row
      this.#tests.set(keyOf(table, column), narrowTests(dialect, { charset, collation }))
      tables.set(table, (tables.get(table) ?? new Set()).add(charset))
    }
    return new Map([...tables].map(([table, charsets]) => [table, [...charsets].join(', ')]))
  }

  /** The tests of a column; null if it is utf8mb4. */
  testsOf(table: string, column: string): ColumnTests | null {
    return this.#tests.size === 0 ? null : (this.#tests.get(keyOf(table, column)) ?? null)
  }
}

const orders = { lt: '<', lte: '<=', gt: '>', gte: '>=' } as const
const isOrder = (comparison: string): comparison is keyof typeof orders => comparison in orders

/** An index of the column serves the first test of each. A text that the column cannot hold fulfils none but `ne`. */
function narrowTests(base: Dialect, { charset, collation }: Charset): ColumnTests {
  const placeholder = `CONVERT(? USING ${charset}) COLLATE ${collation}`
  const converted = `CAST(CONVERT(CONVERT(? USING ${charset}) USING utf8mb4) AS BINARY)`
  // If the column has no value, neither this nor its negation holds, as for any comparison with NULL.
  const holds = (column: string) => `(${converted} = ? OR (${column} IS NULL AND NULL))`
  return {
    placeholder,
    compare(comparison, column, storage) {
      const isSame = `(${column} = ${placeholder} AND ${bytes(column)} = ?)`
      const isAny = `(${column} IN (${placeholder}) AND ${bytes(column)} IN (?))`
      if (comparison === 'eq') return isSame
      if (comparison === 'ne') return `NOT ${isSame}`
      if (comparison === 'in') return isAny
      if (comparison === 'notIn') return `(NOT ${isAny} OR ? = 0)`
      if (isOrder(comparison)) return `(${column} ${orders[comparison]} ${placeholder} AND ${holds(column)})`
      if (comparison !== 'between') return base.compare(comparison, column, storage)
      return `(${column} BETWEEN ${placeholder} AND ${placeholder} AND ${holds(column)} AND ${holds(column)})`
    },
    operands(comparison, value, storage, encode) {
      const bound = base.operands(comparison, value, storage, encode)
      const [first, second] = bound
      if (isOrder(comparison)) return [first!, first!, first!]
      return comparison === 'between' ? [first!, second!, first!, first!, second!, second!] : bound
    },
  }
}
