// Converts the values of filters from the form in which they are sent to the canonical one (B-2.125 to B-2.132).

import { ValidationError } from '../errors.ts'
import type { Family } from '../model/attribute-types.ts'
import { parseDate, parseDatetime, parseDecimal, parseTime } from '../model/values.ts'

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

/** The text of a decimal number becomes a number; other text stays as it is and matches no entry (B-2.107). */
export function castId(value: unknown): unknown {
  if (typeof value === 'number') return value
  const text = String(value)
  const number = parseDecimal(text)
  return Number.isNaN(number) ? text : number
}

/** Digits beyond 2^53 become a bigint, to compare exactly; text that is not a number matches no entry (B-2.126). */
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

const casts: Record<Family, (value: unknown, path: string) => unknown> = {
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
 * Returns the cast of a filter's value. Errors of dates keep v4's message and have the path in `at` only; the messages
 * of others name path and value (security.md row 33).
 */
export function castOf(family: Family | 'id', path: string): (value: unknown) => unknown {
  if (family === 'id') return castId
  const cast = casts[family]
  return value => {
    try {
      return cast(value, path)
    } catch (error) {
      if ((error as ValidationError).at !== null) throw error
      throw new ValidationError(`Invalid value for ${path}: ${(error as Error).message}`, { path })
    }
  }
}
