// MySQL and MariaDB as v4 uses them: datetime(6) holds UTC or, in zone.ts, local time; booleans are tinyint(1), JSON is
// json or longtext (B-10.31). Their collations fold case, accents and trailing spaces, so tests of equality also compare the bytes.

import {
  type Bound,
  type BoundOne,
  type Comparison,
  type Dialect,
  insertText,
  isTextual,
  patterns,
  places,
  type Storage,
} from '@plinth/kernel/database'
import { type Ends, refuseBeyond, serverCodecs, timestampText, wholeOperand } from '@plinth/sql-servers'

const isText = (storage: Storage | 'id') => storage === 'string' || storage === 'text' || storage === 'json'

/** Comparisons that are exact for any character set and collation of the column. */
export const bytes = (column: string) => `CAST(CONVERT(${column} USING utf8mb4) AS BINARY)`
const exact = (column: string) => `CONVERT(${column} USING utf8mb4) COLLATE utf8mb4_bin`
const folded = (column: string) => `LOWER(CONVERT(${column} USING utf8mb4)) COLLATE utf8mb4_bin`

/** An order of MariaDB in which only equal bytes are equal. Comparing by it takes half the time of comparing binary strings. */
const inOrderOfBytes = (column: string) => `CONVERT(${column} USING utf8mb4) COLLATE utf8mb4_nopad_bin`

/**
 * Returns the tests of texts that compare the bytes of `precise(column)` too. The column's own comparison comes first,
 * because an index can serve it.
 */
function exactTests(precise: (column: string) => string): Partial<Record<Comparison, (column: string) => string>> {
  const isSame = (column: string) => `(${column} = ? AND ${precise(column)} = ?)`
  const isAny = (column: string) => `(${column} IN (?) AND ${precise(column)} IN (?))`
  return {
    eq: isSame,
    ne: column => `NOT ${isSame(column)}`,
    in: isAny,
    notIn: column => `(NOT ${isAny(column)} OR ? = 0)`,
  }
}

const tests: Record<Comparison, (column: string, param: string) => string> = {
  eq: (column, param) => `${column} = ${param}`,
  ne: (column, param) => `${column} <> ${param}`,
  lt: (column, param) => `${column} < ${param}`,
  lte: (column, param) => `${column} <= ${param}`,
  gt: (column, param) => `${column} > ${param}`,
  gte: (column, param) => `${column} >= ${param}`,
  in: column => `${column} IN (?)`,
  notIn: column => `(${column} NOT IN (?) OR ? = 0)`,
  between: (column, param) => `${column} BETWEEN ${param} AND ${param}`,
  eqi: column => `CAST(${folded(column)} AS BINARY) = CAST(LOWER(CONVERT(? USING utf8mb4)) AS BINARY)`,
  nei: column => `CAST(${folded(column)} AS BINARY) <> CAST(LOWER(CONVERT(? USING utf8mb4)) AS BINARY)`,
  contains: column => `${exact(column)} LIKE ? ESCAPE '!'`,
  notContains: column => `${exact(column)} NOT LIKE ? ESCAPE '!'`,
  containsi: column => `${folded(column)} LIKE LOWER(?) ESCAPE '!'`,
  notContainsi: column => `${folded(column)} NOT LIKE LOWER(?) ESCAPE '!'`,
  startsWith: column => `${exact(column)} LIKE ? ESCAPE '!'`,
  startsWithi: column => `${folded(column)} LIKE LOWER(?) ESCAPE '!'`,
  endsWith: column => `${exact(column)} LIKE ? ESCAPE '!'`,
  endsWithi: column => `${folded(column)} LIKE LOWER(?) ESCAPE '!'`,
}

/** As floats, different whole numbers beyond 2^53 and different cents would compare as equal. */
const isExactNumber = (storage: Storage | 'id') => storage === 'biginteger' || storage === 'decimal'

/**
 * Numbers are bound as text. A column of whole numbers would be compared with a text as floats, row by row, which takes
 * an eighth longer to count; as a signed number, the value is converted once. Ids are left plain: one row is found.
 */
function placeholder(storage: Storage | 'id'): string {
  if (isExactNumber(storage)) return 'CAST(? AS DECIMAL(65, 20))'
  return storage === 'integer' || storage === 'boolean' ? 'CAST(? AS SIGNED)' : '?'
}

/**
 * A value that no column holds. It stands for an empty list: with NULL, neither a condition nor its negation would
 * hold.
 */
const nothing = (storage: Storage | 'id'): BoundOne => (isText(storage) ? '\0' : isTime(storage) ? '9999-12-31' : 9e18)
const isTime = (storage: Storage | 'id') =>
  storage === 'date' || storage === 'time' || storage === 'datetime' || storage === 'timestamp'

const maxDigits = `${'9'.repeat(40)}`

function operand(comparison: Comparison, value: BoundOne, storage: Storage | 'id'): BoundOne {
  if (value === null) return null
  if (storage === 'id' || storage === 'integer') return wholeOperand(comparison, value)
  if (isExactNumber(storage)) {
    const number = value === '' ? Number.NaN : Number(value)
    if (Number.isNaN(number) || number > 1e40) return maxDigits
    return number < -1e40 ? `-${maxDigits}` : plainDigits(value)
  }
  if (storage !== 'float') return value
  return Math.min(Math.max(value as number, -Number.MAX_VALUE), Number.MAX_VALUE)
}

/** Formats a number without an exponent, which decimals do not accept. */
function plainDigits(value: unknown): string {
  const text = String(value)
  return /e/i.test(text) ? Number(text).toLocaleString('en', { useGrouping: false, maximumFractionDigits: 20 }) : text
}

/** Formats a datetime; years are limited to four digits. */
export function stamp(ms: number): string {
  const year = new Date(ms).getUTCFullYear()
  if (year > 9999) return '9999-12-31 23:59:59.999999'
  return year < 1 ? '0001-01-01 00:00:00.000' : timestampText(ms)
}

/** A timestamp is a number of seconds in 31 bits, in which 0 means no value. */
const ends: Ends = {
  firstYear: 1,
  lastYear: 9999,
  timestamps: [1000, 2_147_483_647_999],
  jsonNul: true,
}

/** Returns the tests of a dialect whose texts are compared as `exact` does; `asText` may be that of a derived dialect. */
function comparisons(exact: ReturnType<typeof exactTests>): Dialect['compare'] {
  return function (this: Dialect, comparison, column, storage) {
    if (isTextual(comparison)) return tests[comparison](this.asText(column, storage), '?')
    const exactly = isText(storage) ? exact[comparison] : undefined
    if (exactly !== undefined) return exactly(this.asText(column, storage))
    return tests[comparison](column, placeholder(storage))
  }
}

export const mysql: Dialect = {
  name: 'mysql',
  codecs: serverCodecs({ datetime: stamp, boolean: value => (value ? 1 : 0) }),
  quote: name => `\`${name.replaceAll('`', '``')}\``,
  compare: comparisons(exactTests(bytes)),
  operands(comparison, value, storage, encode): Bound[] {
    const pattern = patterns[comparison]
    if (pattern !== undefined) return [value === null ? null : pattern(String(value))]
    if (isTextual(comparison)) return [value === null ? null : String(value)]
    const one = (each: unknown, as = comparison) => operand(as, encode(each), storage)
    const twice = (bound: Bound): Bound[] => (isText(storage) ? [bound, bound] : [bound])
    if (comparison === 'in' || comparison === 'notIn') {
      const list = (value as unknown[]).map(each => one(each))
      const bound = twice(list.length === 0 ? [nothing(storage)] : list)
      // No value is in an empty list, not even NULL.
      return comparison === 'in' ? bound : [...bound, list.length]
    }
    if (comparison === 'between') {
      const [low, high] = value as [unknown, unknown]
      return [one(low, 'gte'), one(high, 'lte')]
    }
    return comparison === 'eq' || comparison === 'ne' ? twice(one(value)) : [one(value)]
  },
  narrowTests: null,
  within: expression => `${expression} IN (?)`,
  bindsEach: () => false,
  list: values => values as BoundOne[],
  asText(expression, storage) {
    switch (storage) {
      case 'string':
      case 'text':
        return expression
      case 'decimal':
        return `CAST(CAST(${expression} AS DOUBLE) AS CHAR)`
      case 'datetime':
      case 'timestamp': {
        const since = `TIMESTAMPDIFF(MICROSECOND, '1970-01-01', ${expression})`
        return `CAST(CAST(${since} DIV 1000 AS SIGNED) AS CHAR)`
      }
      default:
        return `CAST(${expression} AS CHAR)`
    }
  },
  unindexed: expression => expression,
  // An index on the columns of rules would be chosen before the one that has the rows in their order.
  unindexedRule: expression => `COALESCE(${expression})`,
  sentId: '?',
  number: '?',
  // Bound as text, because a prepared LIMIT accepts no float. A negative limit means all rows.
  limit: count => (count < 0 ? '18446744073709551615' : String(count)),
  limitPlaceholder: '?',
  countedPages: null,
  extremum: (which, column) => `${which}(${column})`,
  listsMembers: false,
  seeksMembers: false,
  returns: { insert: false, update: false },
  insertRow: (table, columns, returning) =>
    insertText({ dialect: mysql, table, columns, defaults: '() VALUES ()', returning }),
  insertRowIf: null,
  leavesLinksToKeys: true,
  rowLocks: { change: 'FOR UPDATE', remove: 'FOR UPDATE', share: 'LOCK IN SHARE MODE' },
  straightJoin: 'STRAIGHT_JOIN',
  tick: null,
  refuse: refuseBeyond({ ...ends, jsonDepth: 100 }),
  finish: statement => statement,
}

/** MariaDB, where INSERT can return its row. */
export const mariadb: Dialect = {
  ...mysql,
  compare: comparisons(exactTests(inOrderOfBytes)),
  returns: { insert: true, update: false },
  // MySQL has deprecated it. A window costs MariaDB 2 µs for each row.
  countedPages: {
    kind: 'modifier',
    text: 'SQL_CALC_FOUND_ROWS',
    total: 'SELECT FOUND_ROWS()',
    maxTotal: 1000,
  },
  insertRowIf(table, columns, { condition, returning }) {
    const into = `INSERT INTO ${mysql.quote(table)} (${columns.map(mysql.quote).join(', ')})`
    return `${into} SELECT ${places(columns.length)} FROM DUAL WHERE ${condition} RETURNING ${returning}`
  },
  refuse: refuseBeyond({ ...ends, jsonDepth: 31 }),
}

/** MariaDB 11.5 and later, where timestamps have 32 bits. */
export const laterMariadb: Dialect = {
  ...mariadb,
  refuse: refuseBeyond({ ...ends, jsonDepth: 31, timestamps: [1000, 4_294_967_295_999] }),
}
