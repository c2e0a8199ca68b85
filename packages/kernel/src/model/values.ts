// Parses dates, times, whole numbers and ids of input to canonical values, for filters, writes and defaults (B-4.22 to
// B-4.24).

import { ValidationError } from '../errors.ts'
import { isoText } from './dates.ts'

const dayText = /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/
const timeText = /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(\.\d{1,3})?$/
const isoTextForm =
  /^([+-]?\d{4,6})-(\d{2})(?:-(\d{2}))?(?:[T ](\d{2})(?::?(\d{2}))?(?::?(\d{2})(?:[.,](\d{1,9}))?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i

/** The 400 for a value at `at`, in which list items may be written `links[0]` as in messages. */
function refusal(message: string, at: string | undefined): ValidationError {
  return new ValidationError(message, undefined, at?.replaceAll(/\[(\d+)\]/g, '.$1'))
}

/** `yyyy-MM-dd`; a longer ISO text is cut to its date. `at` is the path of the value, here and below. */
export function parseDate(value: unknown, at?: string): string {
  const text = typeof value === 'string' ? value : ''
  const day = text.length > 10 && isoTextForm.test(text) ? text.slice(0, 10) : text
  if (!dayText.test(day)) throw refusal('Invalid format, expected yyyy-MM-dd', at)
  const date = new Date(`${day}T00:00:00.000Z`)
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== day) throw refusal('Invalid date', at)
  return day
}

/** `HH:mm:ss.SSS`, padded to milliseconds. */
export function parseTime(value: unknown, at?: string): string {
  if (typeof value !== 'string') {
    const kind = value instanceof Date ? 'Date' : typeof value
    throw refusal(`Expected a string, got ${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`, at)
  }
  const match = timeText.exec(value)
  if (match === null) throw refusal('Invalid time format, expected HH:mm:ss.SSS', at)
  return `${match[1]}:${match[2]}:${match[3]}.${(match[4] ?? '').slice(1).padEnd(3, '0')}`
}

/** Epoch milliseconds of an ISO date, an ISO date and time (UTC if it has no zone), a Date or epoch milliseconds. */
export function parseDatetime(value: unknown, at?: string): number {
  const ms = toEpoch(value)
  if (Number.isNaN(ms)) throw refusal('Invalid format, expected a timestamp or an ISO date', at)
  return ms
}

function toEpoch(value: unknown): number {
  if (value instanceof Date) return value.getTime()
  if (typeof value === 'number') return Math.abs(value) <= 8.64e15 ? Math.trunc(value) : Number.NaN
  if (typeof value !== 'string') return Number.NaN
  // The format of toISOString(), which most clients send.
  if (value.length === 24) {
    const ms = Date.parse(value)
    if (Math.abs(ms) <= 8.64e15 && isoText(ms) === value) return ms
  }
  if (/^-?\d{5,16}$/.test(value)) return toEpoch(Number(value))
  const match = isoTextForm.exec(value)
  if (match === null) return Number.NaN
  const [, year, month, day = '01', hour = '00', minute = '00', second = '00', fraction = '', zone] = match
  const text = `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}`
  const ms = new Date(`${text}${zoneText(zone)}`).getTime()
  return new Date(`${year}-${month}-${day}T00:00:00.000Z`).getUTCDate() === Number(day) ? ms : Number.NaN
}

function zoneText(zone: string | undefined): string {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 'Z'
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0')
  return `${zone[0]}${digits.slice(0, 2)}:${digits.slice(2)}`
}

const decimalText = /^[ \t\n\v\f\r]*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?[ \t\n\v\f\r]*$/i

/** The number of a decimal text, also with a sign, an exponent or space around it; NaN for others, such as `0x1`. */
export function parseDecimal(text: string): number {
  return decimalText.test(text) ? Number(text) : Number.NaN
}

const wholeText = /^([+-]?)(?=\d)0*([1-9]\d{0,18})?$/

/**
 * The digits of a 64-bit integer, as databases return them: of a number, of its digits as text, or of a list with one
 * of them; null for anything else.
 */
export function parseBiginteger(value: unknown): string | null {
  const one = Array.isArray(value) && value.length === 1 ? value[0] : value
  if (typeof one !== 'number' && typeof one !== 'string' && typeof one !== 'bigint') return null
  const match = wholeText.exec(String(one))
  if (match === null) return null
  const number = BigInt(`${match[1] === '-' ? '-' : ''}${match[2] ?? '0'}`)
  return BigInt.asIntN(64, number) === number ? String(number) : null
}

/**
 * Parses the id of an entry in the data of a write. Returns NaN for other values: texts and numbers of another form, lists,
 * objects. Never throws. Ids in URLs and arguments are parsed by entry-id.ts.
 */
export function parseSentId(value: unknown): number {
  if (typeof value !== 'number' && typeof value !== 'string' && typeof value !== 'bigint') return Number.NaN
  return /^\d{1,15}$/.test(String(value)) ? Number(value) : Number.NaN
}
