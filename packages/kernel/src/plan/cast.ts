// Sent values to canonical ones, for filters (B-2.125 to B-2.132); dates and times are shared with writes (B-4.22 to B-4.24).

import { ValidationError } from '../errors.ts'
import type { Family } from '../model/attribute-types.ts'
import { isoText } from '../sql/dates.ts'

const dayText = /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/
const timeText = /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(\.\d{1,3})?$/
const isoTextForm =
  /^([+-]?\d{4,6})-(\d{2})(?:-(\d{2}))?(?:[T ](\d{2})(?::?(\d{2}))?(?::?(\d{2})(?:[.,](\d{1,9}))?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i

/** `yyyy-MM-dd`; a longer ISO text is cut to its date. */
export function parseDate(value: unknown): string {
  const text = typeof value === 'string' ? value : ''
  const day = text.length > 10 && isoTextForm.test(text) ? text.slice(0, 10) : text
  if (!dayText.test(day)) throw new ValidationError('Invalid format, expected yyyy-MM-dd')
  const date = new Date(`${day}T00:00:00.000Z`)
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== day) throw new ValidationError('Invalid date')
  return day
}

/** `HH:mm:ss.SSS`, padded to milliseconds. */
export function parseTime(value: unknown): string {
  if (typeof value !== 'string') {
    const kind = value instanceof Date ? 'Date' : typeof value
    throw new ValidationError(`Expected a string, got ${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`)
  }
  const match = timeText.exec(value)
  if (match === null) throw new ValidationError('Invalid time format, expected HH:mm:ss.SSS')
  return `${match[1]}:${match[2]}:${match[3]}.${(match[4] ?? '').slice(1).padEnd(3, '0')}`
}

/** Epoch milliseconds of an ISO date, an ISO date and time (UTC where no zone is named), a Date or epoch milliseconds. */
export function parseDatetime(value: unknown): number {
  const ms = toEpoch(value)
  if (Number.isNaN(ms)) throw new ValidationError('Invalid format, expected a timestamp or an ISO date')
  return ms
}

function toEpoch(value: unknown): number {
  if (value instanceof Date) return value.getTime()
  if (typeof value === 'number') return Math.abs(value) <= 8.64e15 ? Math.trunc(value) : Number.NaN
  if (typeof value !== 'string') return Number.NaN
  // As toISOString() writes it, which is what most send.
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

/** `true,t,1` and `false,f,0`; anything else is true (B-2.127). */
function castBoolean(value: unknown): boolean {
  const text = String(value).toLowerCase()
  return text !== 'false' && text !== 'f' && text !== '0'
}

function castNumber(value: unknown): number {
  const number = typeof value === 'number' ? value : Number(String(value))
  if (Number.isNaN(number)) throw new ValidationError(`${JSON.stringify(value)} is not a number`)
  return number
}

/** Whole numbers become numbers; other text is left, and finds nothing (B-2.107). */
export function castId(value: unknown): unknown {
  if (typeof value === 'number') return value
  const text = String(value)
  return /^-?\d{1,15}(\.0+)?$/.test(text) ? Number(text) : text
}

const wholeText = /^([+-]?)(?=\d)0*([1-9]\d{0,18})?$/

/**
 * The digits of a whole number of 64 bits, as databases tell it: of a number, of its digits as text, of a list of one of
 * both; null for anything else.
 */
export function parseBiginteger(value: unknown): string | null {
  const one = Array.isArray(value) && value.length === 1 ? value[0] : value
  if (typeof one !== 'number' && typeof one !== 'string' && typeof one !== 'bigint') return null
  const match = wholeText.exec(String(one))
  if (match === null) return null
  const number = BigInt(`${match[1] === '-' ? '-' : ''}${match[2] ?? '0'}`)
  return BigInt.asIntN(64, number) === number ? String(number) : null
}

/** Digits beyond 2^53 become a bigint so that they compare exactly; text that is no number finds nothing (B-2.126). */
function castBig(value: unknown): unknown {
  const text = String(value).trim()
  if (/^-?\d+$/.test(text)) {
    const number = Number(text)
    if (Number.isSafeInteger(number)) return number
    const big = BigInt(text)
    return BigInt.asIntN(64, big) === big ? big : number
  }
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}

const casts: Record<Family, (value: unknown) => unknown> = {
  text: String,
  enumeration: String,
  integer: castNumber,
  number: castNumber,
  biginteger: castBig,
  boolean: castBoolean,
  date: parseDate,
  time: parseTime,
  datetime: parseDatetime,
  json: value => (typeof value === 'string' ? value : JSON.stringify(value)),
  blocks: value => (typeof value === 'string' ? value : JSON.stringify(value)),
}

/**
 * The cast of a filter's value. Errors of dates keep v4's words; others name the place and the value
 * (security.md row 33).
 */
export function castOf(family: Family | 'id', path: string): (value: unknown) => unknown {
  if (family === 'id') return castId
  const cast = casts[family]
  return value => {
    try {
      return cast(value)
    } catch (error) {
      const { message } = error as ValidationError
      const isWorded = message.startsWith('Invalid') || message.startsWith('Expected')
      throw isWorded ? error : new ValidationError(`Invalid value for ${path}: ${message}`, { path })
    }
  }
}
