// SQLite as v4 uses it: datetimes are epoch milliseconds, booleans 0 and 1, JSON and dates text (B-10.31).

import type { Comparison } from '../query/operators.ts'
import type { Storage } from '../model/attribute-types.ts'
import { isoText } from './dates.ts'
import type { Bound, Codec, Dialect } from './dialect.ts'

/** What JSON must escape; the surrogates because a lone one must not leave as it is. */
const needsEscape = /["\\\u0000-\u001f\ud800-\udfff]/

/** JSON of a text: most texts only want quotes, and looking is half the price of JSON.stringify. */
function quoteText(value: string): string {
  return needsEscape.test(value) ? JSON.stringify(value) : `"${value}"`
}

const text: Codec = {
  decode: (raw: unknown) => (typeof raw === 'string' ? raw : String(raw)),
  json: (raw: unknown) => (typeof raw === 'string' ? quoteText(raw) : JSON.stringify(String(raw))),
  encode: (value: string) => value,
}
const number: Codec = {
  decode: (raw: number) => raw,
  json: (raw: unknown) => (typeof raw === 'number' ? String(raw) : JSON.stringify(raw)),
  encode: (value: number) => value,
}

/** Rows of v4 may hold a datetime as text where someone wrote it by hand. */
function epoch(raw: unknown): number {
  return typeof raw === 'number' ? raw : new Date(String(raw)).getTime()
}

/** What is no date reads as none: one bad row must not cost the whole list. */
function isDate(ms: number): boolean {
  return Math.abs(ms) <= 8.64e15
}

/** Digits stay as they are; what SQLite made a float of reads as JavaScript reads it. */
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
    decode: (raw: unknown) => (isDate(epoch(raw)) ? isoText(epoch(raw)) : null),
    json: (raw: unknown) => (isDate(epoch(raw)) ? `"${isoText(epoch(raw))}"` : 'null'),
    encode: (value: number) => value,
  },
  timestamp: {
    decode: (raw: unknown) => (isDate(epoch(raw)) ? String(epoch(raw)) : null),
    json: (raw: unknown) => (isDate(epoch(raw)) ? `"${epoch(raw)}"` : 'null'),
    encode: (value: number) => value,
  },
  json: {
    decode: (raw: unknown) => (typeof raw === 'string' ? parseStored(raw) : raw),
    json: (raw: unknown) => (typeof raw === 'string' ? storedJson(raw) : JSON.stringify(raw)),
    encode: (value: unknown) => JSON.stringify(value),
  },
}

/** A hand-made row may hold text that is no JSON; it is answered as text rather than breaking the answer. */
function parseStored(raw: string): unknown {
  try {
    return JSON.parse(raw)
  } catch {
    return raw
  }
}

/** Texts found to be JSON; they are pasted into answers as they are. */
const checked = new Set<string>()

function storedJson(raw: string): string {
  if (checked.has(raw)) return raw
  const value = parseStored(raw)
  if (value === raw) return JSON.stringify(raw)
  if (raw.length <= 2048) {
    if (checked.size >= 10_000) checked.clear()
    checked.add(raw)
  }
  return raw
}

const likeEscape = (value: string) => value.replace(/[\\%_]/g, '\\$&')
/** GLOB is SQLite's case-sensitive pattern; a character class of one makes any character literal. */
const globEscape = (value: string) => value.replace(/[*?[]/g, '[$&]')

const tests: Record<Comparison, (column: string) => string> = {
  eq: column => `${column} = ?`,
  ne: column => `${column} <> ?`,
  lt: column => `${column} < ?`,
  lte: column => `${column} <= ?`,
  gt: column => `${column} > ?`,
  gte: column => `${column} >= ?`,
  in: column => `${column} IN (SELECT value FROM json_each(?))`,
  notIn: column => `${column} NOT IN (SELECT value FROM json_each(?))`,
  between: column => `${column} BETWEEN ? AND ?`,
  eqi: column => `${column} LIKE ? ESCAPE '\\'`,
  nei: column => `${column} NOT LIKE ? ESCAPE '\\'`,
  contains: column => `${column} GLOB ?`,
  notContains: column => `${column} NOT GLOB ?`,
  containsi: column => `${column} LIKE ? ESCAPE '\\'`,
  notContainsi: column => `${column} NOT LIKE ? ESCAPE '\\'`,
  startsWith: column => `${column} GLOB ?`,
  startsWithi: column => `${column} LIKE ? ESCAPE '\\'`,
  endsWith: column => `${column} GLOB ?`,
  endsWithi: column => `${column} LIKE ? ESCAPE '\\'`,
}

const patterns: Partial<Record<Comparison, (value: string) => string>> = {
  eqi: likeEscape,
  nei: likeEscape,
  contains: value => `*${globEscape(value)}*`,
  notContains: value => `*${globEscape(value)}*`,
  containsi: value => `%${likeEscape(value)}%`,
  notContainsi: value => `%${likeEscape(value)}%`,
  startsWith: value => `${globEscape(value)}*`,
  startsWithi: value => `${likeEscape(value)}%`,
  endsWith: value => `*${globEscape(value)}`,
  endsWithi: value => `%${likeEscape(value)}`,
}

/** JSON of a list of bind values; a bigint beyond 2^53 is written as its digits, which JSON numbers may hold. */
function listText(values: readonly unknown[]): string {
  return `[${values.map(one => (typeof one === 'bigint' ? String(one) : JSON.stringify(one))).join(',')}]`
}

export const sqlite: Dialect = {
  name: 'sqlite',
  codecs,
  quote: name => `"${name.replaceAll('"', '""')}"`,
  compare(comparison, column, storage) {
    const isText = storage === 'string' || storage === 'text' || storage === 'date' || storage === 'time'
    const operand = patterns[comparison] !== undefined && !isText && storage !== 'json' ? this.asText(column) : column
    // A list of digits as text must compare with a numeric column as numbers.
    return tests[comparison](operand)
  },
  operands(comparison, value, encode): Bound[] {
    const pattern = patterns[comparison]
    if (pattern !== undefined) return [pattern(String(value))]
    if (comparison === 'in' || comparison === 'notIn') return [listText((value as unknown[]).map(encode))]
    if (comparison === 'between') return (value as unknown[]).map(encode)
    return [encode(value)]
  },
  within: expression => `${expression} IN (SELECT value FROM json_each(?))`,
  list: values => JSON.stringify(values),
  asText: expression => `CAST(${expression} AS TEXT)`,
  unindexed: expression => `+${expression}`,
  returnsRows: true,
  straightJoin: 'CROSS JOIN',
  finish: statement => statement,
}
