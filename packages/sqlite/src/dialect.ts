// SQLite as v4 uses it: datetimes are epoch milliseconds, booleans 0 and 1, JSON and dates text (B-10.31).

import {
  type Bound,
  type Codec,
  type Comparison,
  type Dialect,
  insertText,
  isoJson,
  isoText,
  parseStored,
  quoteText,
  type Storage,
  storedJson,
} from '@plinth/kernel/database'
import { isDate, momentOf } from './moment.ts'

const text: Codec = {
  decode: (raw: unknown) => (typeof raw === 'string' ? raw : String(raw)),
  json: (raw: unknown) => (typeof raw === 'string' ? quoteText(raw) : JSON.stringify(String(raw))),
  encode: (value: string) => value,
}
const number: Codec = {
  decode: (raw: unknown) => (typeof raw === 'number' ? raw : numberOf(raw)),
  json: (raw: unknown) => (typeof raw === 'number' ? String(raw) : JSON.stringify(numberOf(raw))),
  encode: (value: number) => value,
}

/**
 * Returns the number in a column of another type, which an attribute has until its change of type is done; null if it
 * is not a number.
 */
function numberOf(raw: unknown): number | null {
  const number = typeof raw === 'string' && raw.trim() !== '' ? Number(raw) : Number.NaN
  return Number.isFinite(number) ? number : null
}

/** Digits stay unchanged; a value that SQLite stored as a float is formatted like a JavaScript number. */
function bigText(raw: string): string {
  if (/^-?\d+$/.test(raw)) return raw
  const number = Number(raw)
  return raw.trim() === '' || Number.isNaN(number) ? raw : String(number)
}

const codecs: Record<Storage, Codec> = {
  string: text,
  text,
  integer: number,
  float: number,
  decimal: number,
  biginteger: {
    // As text: a JavaScript number would round beyond 2^53.
    select: column => `CAST(${column} AS TEXT)`,
    decode: bigText,
    json: (raw: string) => JSON.stringify(bigText(raw)),
    encode: (value: string | number) => String(value),
  },
  boolean: {
    decode: (raw: unknown) => Boolean(raw),
    json: (raw: unknown) => (raw ? 'true' : 'false'),
    encode: (value: boolean) => (value ? 1 : 0),
  },
  date: text,
  time: text,
  datetime: {
    decode: (raw: unknown) => (isDate(momentOf(raw)) ? isoText(momentOf(raw)) : null),
    json: (raw: unknown) => {
      const ms = momentOf(raw)
      return isDate(ms) ? isoJson(ms) : 'null'
    },
    encode: (value: number) => value,
  },
  timestamp: {
    decode: (raw: unknown) => (isDate(momentOf(raw)) ? String(momentOf(raw)) : null),
    json: (raw: unknown) => (isDate(momentOf(raw)) ? `"${momentOf(raw)}"` : 'null'),
    encode: (value: number) => value,
  },
  json: {
    decode: (raw: unknown) => (typeof raw === 'string' ? parseStored(raw) : raw),
    json: (raw: unknown) => (typeof raw === 'string' ? storedJson(raw) : JSON.stringify(raw)),
    encode: (value: unknown) => JSON.stringify(value),
  },
}

const likeEscape = (value: string) => value.replace(/[\\%_]/g, '\\$&')
/** GLOB is SQLite's case-sensitive pattern match; a character class with one character makes it literal. */
const globEscape = (value: string) => value.replace(/[*?[]/g, '[$&]')

/**
 * A bound value by which SQLite does not plan. With statistics of ANALYZE, and for LIKE and GLOB always, it plans by the
 * value of a bare `?`, and prepares the statement again each time another one is bound, which takes longer than most
 * statements run: 20 to 60 µs.
 */
const bound = '+?'

/**
 * LIKE folds only ASCII letters. If the operand has others, SQLite calls JavaScript to fold them, which is slow and
 * therefore not done otherwise.
 */
const like = (column: string) =>
  `(${column} LIKE ${bound} ESCAPE '\\' OR (? AND plinth_lower(${column}) LIKE ${bound} ESCAPE '\\'))`

const tests: Record<Comparison, (column: string) => string> = {
  eq: column => `${column} = ${bound}`,
  ne: column => `${column} <> ${bound}`,
  lt: column => `${column} < ${bound}`,
  lte: column => `${column} <= ${bound}`,
  gt: column => `${column} > ${bound}`,
  gte: column => `${column} >= ${bound}`,
  in: column => `${column} IN (SELECT value FROM json_each(?))`,
  notIn: column => `${column} NOT IN (SELECT value FROM json_each(?))`,
  between: column => `${column} BETWEEN ${bound} AND ${bound}`,
  eqi: like,
  nei: column => `NOT ${like(column)}`,
  contains: column => `${column} GLOB ${bound}`,
  notContains: column => `${column} NOT GLOB ${bound}`,
  containsi: like,
  notContainsi: column => `NOT ${like(column)}`,
  // Here the value matters: an index serves patterns with a literal beginning.
  startsWith: column => `${column} GLOB ?`,
  startsWithi: like,
  endsWith: column => `${column} GLOB ${bound}`,
  endsWithi: like,
}

const patterns: Partial<Record<Comparison, (value: string) => string>> = {
  contains: value => `*${globEscape(value)}*`,
  notContains: value => `*${globEscape(value)}*`,
  startsWith: value => `${globEscape(value)}*`,
  endsWith: value => `*${globEscape(value)}`,
}

const foldedPatterns: Partial<Record<Comparison, (value: string) => string>> = {
  eqi: likeEscape,
  nei: likeEscape,
  containsi: value => `%${likeEscape(value)}%`,
  notContainsi: value => `%${likeEscape(value)}%`,
  startsWithi: value => `${likeEscape(value)}%`,
  endsWithi: value => `%${likeEscape(value)}`,
}

const exact: ReadonlySet<Comparison> = new Set<Comparison>(['eq', 'ne', 'in', 'notIn'])

const isBeyondAscii = (value: string) => /[^\0-\x7f]/.test(value)

/** Formats a list of bind values as JSON; a bigint beyond 2^53 is written as digits, which JSON allows. */
function listText(values: readonly unknown[]): string {
  return `[${values.map(itemText).join(',')}]`
}

/** JSON has no infinite numbers, but numbers that SQLite reads as such. */
function itemText(one: unknown): string {
  if (one === Number.POSITIVE_INFINITY || one === Number.NEGATIVE_INFINITY) return one > 0 ? '9e999' : '-9e999'
  return typeof one === 'bigint' ? String(one) : JSON.stringify(one)
}

/** Maximum number of ids that are bound one by one. */
const maxFew = 8

/** Inserts a row of defaults. */
const defaults = 'DEFAULT VALUES'

export const sqlite: Dialect = {
  name: 'sqlite',
  codecs,
  quote: name => `"${name.replaceAll('"', '""')}"`,
  compare(comparison, column, storage) {
    const isText = storage === 'string' || storage === 'text' || storage === 'date' || storage === 'time'
    const isTextual = patterns[comparison] !== undefined || foldedPatterns[comparison] !== undefined
    // A column of JSON has the numeric affinity: a text that is a number would equal the number.
    const isExact = storage === 'json' && exact.has(comparison)
    const asText = isExact || (isTextual && !isText && storage !== 'json')
    return tests[comparison](asText ? this.asText(column, storage) : column)
  },
  operands(comparison, value, _storage, encode): Bound[] {
    const pattern = patterns[comparison]
    if (pattern !== undefined) return [value === null ? null : pattern(String(value))]
    const folded = foldedPatterns[comparison]
    if (folded !== undefined) {
      if (value === null) return [null, 0, null]
      const text = String(value)
      return [folded(text), isBeyondAscii(text) ? 1 : 0, folded(text.toLowerCase())]
    }
    if (comparison === 'in' || comparison === 'notIn') return [listText((value as unknown[]).map(encode))]
    if (comparison === 'between') return (value as unknown[]).map(encode)
    return [encode(value)]
  },
  narrowTests: null,
  within: expression => `${expression} IN (SELECT value FROM json_each(?))`,
  // A list is unpacked by a function, which costs more than binding a few values one by one.
  bindsEach: count => count <= maxFew,
  list: values => JSON.stringify(values),
  asText: expression => `CAST(${expression} AS TEXT)`,
  unindexed: expression => `+${expression}`,
  unindexedRule: expression => `+${expression}`,
  sentId: '?',
  number: '?',
  limit: count => count,
  // SQLite 3.54 plans by the value of a bare `LIMIT ?`, and prepares the statement again each time one is bound: 20 µs.
  limitPlaceholder: '? + 0',
  countedPages: null,
  extremum: (which, column) => `${which}(${column})`,
  listsMembers: true,
  seeksMembers: true,
  returns: { insert: true, update: true },
  insertRow: (table, columns, returning) => insertText({ dialect: sqlite, table, columns, defaults, returning }),
  insertRowIf: null,
  leavesLinksToKeys: false,
  rowLocks: null,
  straightJoin: 'CROSS JOIN',
  refuse: null,
  // Without likelihood(), the optimizer would expect fewer rows because of a condition that no index serves.
  tick(rows) {
    if (rows === null) return 'plinth_tick()'
    const guard = `likelihood(${rows.skip} OR plinth_tick(), 1.0)`
    // The driver removes it if the table is small (prepared.ts).
    return rows.table !== null && /^\w+$/.test(rows.table) ? `${guard} /* each row of ${rows.table} once */` : guard
  },
  finish: statement => statement,
}
