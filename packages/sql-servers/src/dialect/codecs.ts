// Converts values between JavaScript and the typed columns of servers, with times as text. Knows no server.

import {
  type BoundOne,
  type Codec,
  type Comparison,
  isoText,
  parseDecimal,
  parseStored,
  quoteText,
  type Storage,
  storedJson,
} from '@plinth/kernel/database'

const most = 9_223_372_036_854_775_000

/**
 * Converts an operand for a column of whole numbers. A value that is not a whole number must not cause an error, must
 * not equal any number, and must keep its place in the order of numbers. Text sorts after all numbers, as in SQLite.
 */
export function wholeOperand(comparison: Comparison, value: unknown): number {
  // Ids that are not numbers arrive as the text of the request.
  const number = typeof value === 'string' ? parseDecimal(value) : value
  if (typeof number !== 'number' || Number.isNaN(number)) return most
  const within = Math.min(Math.max(number, -most), most)
  if (Number.isInteger(within)) return within
  if (comparison === 'gt' || comparison === 'lte') return Math.floor(within)
  if (comparison === 'gte' || comparison === 'lt') return Math.ceil(within)
  return most
}

/** Formats epoch milliseconds as `2024-01-31 12:34:56.789`. */
export function timestampText(ms: number): string {
  return isoText(ms).replace('T', ' ').slice(0, -1)
}

const stampForm = /^(\d{4,})-(\d\d)-(\d\d)[ T](\d\d:\d\d:\d\d)(?:\.(\d+))?$/

const dash = 45
const dot = 46
const colon = 58
const plus = 43
const isDigit = (code: number) => code >= 48 && code <= 57

/** Returns whether a text has the form `2024-01-31 12:34:56`, with or without a fraction, as nearly all do. */
function isUsual(raw: string): boolean {
  if (raw.charCodeAt(4) !== dash || raw.charCodeAt(7) !== dash || raw.charCodeAt(13) !== colon) return false
  if (raw.length !== 19 && raw.charCodeAt(19) !== dot) return false
  // Not a moment with its zone.
  if (raw.charCodeAt(raw.length - 3) === plus) return false
  // Not the month 0, and not the years before 1, whose text ends in BC.
  return (raw.charCodeAt(5) !== 48 || raw.charCodeAt(6) !== 48) && isDigit(raw.charCodeAt(raw.length - 1))
}

/**
 * Converts a stored datetime to ISO text; null if it is not a date. Column values are UTC; fractions are truncated to
 * milliseconds.
 */
export function stampIso(raw: string): string | null {
  if (isUsual(raw)) {
    const fraction = raw.length >= 23 ? raw.slice(19, 23) : raw.length === 19 ? '.000' : raw.slice(19).padEnd(4, '0')
    return `${raw.slice(0, 10)}T${raw.slice(11, 19)}${fraction}Z`
  }
  // Forms that isUsual() does not accept. PostgreSQL adds the zone of the session, UTC, to moments stored with one.
  const zoned = /\+00(?= BC$|$)/.exec(raw)
  if (zoned !== null) return stampIso(raw.slice(0, zoned.index) + raw.slice(zoned.index + 3))
  const match = stampForm.exec(raw)
  if (match === null || match[2] === '00') return oddIso(raw)
  const [, year, month, day, time, fraction = ''] = match
  if (year!.length > 4) return oddIso(raw)
  return `${year}-${month}-${day}T${time}.${fraction.slice(0, 3).padEnd(3, '0')}Z`
}

/** Converts years before 1 and after 9999, in PostgreSQL's form. */
function oddIso(raw: string): string | null {
  const match = /^(\d+)-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d+))?( BC)?$/.exec(raw)
  if (match === null) return null
  const [, year, month, day, hour, minute, second, fraction = '0', isBefore] = match
  const ms = Number(fraction.slice(0, 3).padEnd(3, '0'))
  const date = new Date(0)
  date.setUTCFullYear(isBefore === undefined ? Number(year) : 1 - Number(year), Number(month) - 1, Number(day))
  date.setUTCHours(Number(hour), Number(minute), Number(second), ms)
  return Number.isNaN(date.getTime()) || match[2] === '00' ? null : date.toISOString()
}

const text: Codec = {
  decode: (raw: unknown) => (typeof raw === 'string' ? raw : String(raw)),
  json: (raw: unknown) => (typeof raw === 'string' ? quoteText(raw) : JSON.stringify(String(raw))),
  encode: (value: string) => value,
}
const number: Codec = {
  decode: (raw: unknown) => {
    const value = Number(raw)
    // A text, which an attribute may have until its change of type is done.
    return Number.isNaN(value) ? null : value
  },
  json: (raw: unknown) => JSON.stringify(Number(raw)),
  encode: (value: number) => value,
}
const bigText = (raw: unknown) => String(raw)

/** Adds the milliseconds that PostgreSQL omits if they are zero. */
const timeText = (raw: string) => (raw.length === 12 ? raw : `${raw.slice(0, 8)}.${raw.slice(9, 12).padEnd(3, '0')}`)

/** The codecs of both servers; they differ in `encode` of datetimes and booleans. */
export function serverCodecs(encode: {
  readonly datetime: (ms: number) => BoundOne
  readonly boolean: (value: boolean) => BoundOne
}): Readonly<Record<Storage, Codec>> {
  return {
    string: text,
    text,
    integer: number,
    float: number,
    decimal: number,
    biginteger: {
      decode: bigText,
      json: (raw: unknown) => `"${bigText(raw)}"`,
      encode: (value: string | number) => String(value),
    },
    boolean: {
      decode: (raw: unknown) => Boolean(raw),
      json: (raw: unknown) => (raw ? 'true' : 'false'),
      encode: encode.boolean,
    },
    date: text,
    time: { ...text, decode: timeText, json: (raw: string) => `"${timeText(raw)}"` },
    datetime: {
      decode: stampIso,
      json: (raw: string) => {
        const iso = stampIso(raw)
        return iso === null ? 'null' : `"${iso}"`
      },
      encode: encode.datetime,
    },
    timestamp: {
      decode: (raw: string) => {
        const iso = stampIso(raw)
        return iso === null ? null : String(Date.parse(iso))
      },
      json: (raw: string) => {
        const iso = stampIso(raw)
        return iso === null ? 'null' : `"${Date.parse(iso)}"`
      },
      encode: encode.datetime,
    },
    json: {
      decode: (raw: unknown) => (typeof raw === 'string' ? parseStored(raw) : raw),
      json: (raw: unknown) => (typeof raw === 'string' ? storedJson(raw) : JSON.stringify(raw)),
      encode: (value: unknown) => JSON.stringify(value),
    },
  }
}
