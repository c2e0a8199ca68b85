// PostgreSQL as v4 uses it: timestamps without zone hold UTC or, in zone.ts, local time; JSON is jsonb, decimals are
// numeric(10,2) (B-10.31). A parameter is cast wherever the server cannot infer its type.

import {
  type Bound,
  type BoundOne,
  type Comparison,
  type Dialect,
  insertText,
  isTextual,
  patterns,
  type Storage,
} from '@plinth/kernel/database'
import { refuseBeyond, serverCodecs, timestampText, wholeOperand } from '@plinth/sql-servers'

/** Formats a datetime: years of more than four digits have no sign, years before 1 end in BC. */
export function stamp(ms: number): string {
  const year = new Date(ms).getUTCFullYear()
  if (year >= 1 && year <= 9999) return timestampText(ms)
  const rest = timestampText(ms).replace(/^[+-]?\d+/, '')
  return year >= 1 ? `${year}${rest}` : `${String(1 - year).padStart(4, '0')}${rest} BC`
}

const paramTypes: Partial<Record<Storage | 'id', string>> = {
  id: 'bigint',
  integer: 'bigint',
  biginteger: 'numeric',
  decimal: 'numeric',
  float: 'double precision',
  boolean: 'boolean',
  json: 'jsonb',
}

/** JSON that equals no stored value: the text of a filter may not be JSON, or not as it is stored. */
const noJson = '"\\u0001 no JSON"'

function operand(comparison: Comparison, value: BoundOne, storage: Storage | 'id'): BoundOne {
  if (value === null) return null
  if (storage === 'id' || storage === 'integer') return wholeOperand(comparison, value)
  if (storage === 'biginteger' || storage === 'decimal')
    return value === '' || Number.isNaN(Number(value)) ? 'NaN' : String(value)
  if (storage !== 'json') return value
  try {
    // Only the text that would be stored is equal: not `1e0`, which jsonb takes for 1.
    return JSON.stringify(JSON.parse(value as string)) === value ? value : noJson
  } catch {
    return noJson
  }
}

const tests: Record<Comparison, (column: string, param: string, list: string) => string> = {
  eq: (column, param) => `${column} = ${param}`,
  ne: (column, param) => `${column} <> ${param}`,
  lt: (column, param) => `${column} < ${param}`,
  lte: (column, param) => `${column} <= ${param}`,
  gt: (column, param) => `${column} > ${param}`,
  gte: (column, param) => `${column} >= ${param}`,
  in: (column, _, list) => `${column} = ANY(${list})`,
  notIn: (column, _, list) => `${column} <> ALL(${list})`,
  between: (column, param) => `${column} BETWEEN ${param} AND ${param}`,
  eqi: column => `LOWER(${column}) = LOWER(?)`,
  nei: column => `LOWER(${column}) <> LOWER(?)`,
  contains: column => `${column} LIKE ? ESCAPE '!'`,
  notContains: column => `${column} NOT LIKE ? ESCAPE '!'`,
  containsi: column => `LOWER(${column}) LIKE LOWER(?) ESCAPE '!'`,
  notContainsi: column => `LOWER(${column}) NOT LIKE LOWER(?) ESCAPE '!'`,
  startsWith: column => `${column} LIKE ? ESCAPE '!'`,
  startsWithi: column => `LOWER(${column}) LIKE LOWER(?) ESCAPE '!'`,
  endsWith: column => `${column} LIKE ? ESCAPE '!'`,
  endsWithi: column => `LOWER(${column}) LIKE LOWER(?) ESCAPE '!'`,
}

const columnTypes: Partial<Record<Storage, string>> = {
  date: 'date',
  time: 'time',
  datetime: 'timestamp',
  timestamp: 'timestamp',
}

/** Matches placeholders, and literals and names, whose question marks are not placeholders. */
const placeForm = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\?/g

export const postgres: Dialect = {
  name: 'postgres',
  codecs: serverCodecs({ datetime: stamp, boolean: value => value }),
  quote: name => `"${name.replaceAll('"', '""')}"`,
  compare(comparison, column, storage) {
    if (isTextual(comparison)) return tests[comparison](this.asText(column, storage), '?', '')
    const type = paramTypes[storage]
    const param = type === undefined ? '?' : `CAST(? AS ${type})`
    const element = type ?? columnTypes[storage as Storage] ?? 'text'
    return tests[comparison](column, param, `CAST(? AS ${element}[])`)
  },
  operands(comparison, value, storage, encode): Bound[] {
    const pattern = patterns[comparison]
    if (pattern !== undefined) return [value === null ? null : pattern(String(value))]
    if (isTextual(comparison)) return [value === null ? null : String(value)]
    const one = (each: unknown, as = comparison) => operand(as, encode(each), storage)
    if (comparison === 'in' || comparison === 'notIn') return [(value as unknown[]).map(each => one(each))]
    if (comparison !== 'between') return [one(value)]
    const [low, high] = value as [unknown, unknown]
    return [one(low, 'gte'), one(high, 'lte')]
  },
  narrowTests: null,
  within: expression => `${expression} = ANY(CAST(? AS bigint[]))`,
  bindsEach: () => false,
  list: values => values as BoundOne[],
  asText(expression, storage) {
    switch (storage) {
      case 'string':
      case 'text':
        return expression
      case 'decimal':
        // 12.50 is 12.5 on the other databases.
        return `CAST(CAST(${expression} AS double precision) AS text)`
      case 'boolean':
        return `CAST(CAST(${expression} AS integer) AS text)`
      case 'time':
        return `TO_CHAR(${expression}, 'HH24:MI:SS.MS')`
      case 'datetime':
      case 'timestamp':
        return `CAST(CAST(EXTRACT(EPOCH FROM ${expression}) * 1000 AS bigint) AS text)`
      default:
        return `CAST(${expression} AS text)`
    }
  },
  unindexed: expression => expression,
  unindexedRule: expression => expression,
  sentId: 'CAST(? AS bigint)',
  number: 'CAST(? AS double precision)',
  limit: count => (count < 0 ? null : count),
  limitPlaceholder: '?',
  // A window collects all rows: 0.5 µs each, where a count costs 100 to 150 µs and 0.1 µs for each row.
  countedPages: { kind: 'column', text: 'COUNT(*) OVER ()', maxTotal: 300 },
  extremum(which, column, storage) {
    if (storage === 'boolean') return `${which}(CAST(${column} AS integer))`
    return storage === 'json' ? `${which}(CAST(${column} AS text))` : `${which}(${column})`
  },
  listsMembers: false,
  seeksMembers: false,
  returns: { insert: true, update: true },
  insertRow: (table, columns, returning) =>
    insertText({ dialect: postgres, table, columns, defaults: 'DEFAULT VALUES', returning: returning ?? '"id"' }),
  insertRowIf: null,
  leavesLinksToKeys: true,
  rowLocks: { change: 'FOR NO KEY UPDATE', remove: 'FOR UPDATE', share: 'FOR KEY SHARE' },
  straightJoin: 'JOIN',
  tick: null,
  refuse: refuseBeyond({ firstYear: 1, lastYear: 275_760, jsonNul: false }),
  finish(statement) {
    let count = 0
    return statement.replace(placeForm, token => (token === '?' ? `$${++count}` : token))
  },
}
