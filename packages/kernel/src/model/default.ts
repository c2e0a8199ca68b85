// Checks the `default` of an attribute (B-4.8). One that no entry can have does not stop a start, as in v4: a create without
// the value is a 400.

import { scalarTypes } from './attribute-types.ts'
import { readBound } from './bounds.ts'
import type { AttributeDefinition } from './content-type.ts'
import type { Fail } from './fault-list.ts'
import { compileRegex, findRegexFault } from './regex.ts'
import { isEmail, uidForm } from './text-forms.ts'
import { parseBiginteger, parseDate, parseDatetime, parseTime } from './values.ts'

/** Warns of defaults that the checks of a write refuse; the checks of attribute types of plugins are not run. */
export function checkDefault(definition: AttributeDefinition, warn: Fail): void {
  const { default: value, type } = definition
  // An empty input of a form writes "".
  if (value === undefined || value === null || value === '' || typeof value === 'function') return
  const fault = findFault(type, value, definition)
  const isShort = typeof value === 'string' && fault === null && isBelow(value.length, definition.minLength)
  if (fault === null && !isShort) return
  const words = fault ?? `must be at least ${definition.minLength} characters`
  // The lengths of drafts are not checked (B-4.76).
  const exception = isShort ? ', unless they are drafts' : ''
  const effect = `until it is, entries without a value are refused${exception}`
  warn('default', `${words}, found ${JSON.stringify(value)}; ${effect}`)
}

/** The definition with seconds in the default of a time, which v4's forms leave out. */
export function withSeconds(definition: AttributeDefinition): AttributeDefinition {
  const { type, default: value } = definition
  if (type !== 'time' || !isShortTime(value)) return definition
  return { ...definition, default: `${value}:00` }
}

function isShortTime(value: unknown): boolean {
  return typeof value === 'string' && /^([01]\d|2[0-3]):[0-5]\d$/.test(value)
}

function findFault(type: string, value: unknown, definition: AttributeDefinition): string | null {
  const { enum: values } = definition
  switch (scalarTypes[type]?.family) {
    case 'text':
      return typeof value === 'string' ? faultOfText(value, definition) : 'must be a text'
    case 'integer':
      return Number.isInteger(toNumber(value)) ? faultOfSize(toNumber(value), definition) : 'must be an integer'
    case 'biginteger':
      return parseBiginteger(value) === null ? 'must be a 64-bit integer' : null
    case 'number':
      return Number.isFinite(toNumber(value)) ? faultOfSize(toNumber(value), definition) : 'must be a number'
    case 'boolean':
      return /^(true|false|1|0)$/i.test(String(value)) ? null : 'must be true or false'
    case 'date':
      return isRead(parseDate, value) ? null : 'must be a date like 2024-12-31'
    case 'time':
      return isShortTime(value) || isRead(parseTime, value) ? null : 'must be a time like 23:59:59.000'
    case 'datetime':
      return isRead(parseDatetime, value) ? null : 'must be an ISO date and time'
    case 'enumeration':
      if (!Array.isArray(values) || values.includes(value)) return null
      return `must be one of ${values.map(one => JSON.stringify(one)).join(', ')}`
    default:
      return null
  }
}

function faultOfText(value: string, { type, maxLength, regex }: AttributeDefinition): string | null {
  if (isAbove(value.length, maxLength)) return `must be at most ${maxLength} characters`
  if (typeof regex === 'string' && findRegexFault(regex) === null && !compileRegex(regex)(value))
    return `must match the pattern ${regex}`
  if (type === 'email' && !isEmail(value)) return 'must be a mail address'
  return type === 'uid' && !uidForm.test(value) ? 'must have only the characters A-Z, a-z, 0-9 and -_.~' : null
}

function faultOfSize(value: number, { min, max }: AttributeDefinition): string | null {
  if (isBelow(value, min)) return `must not be less than ${min}`
  return isAbove(value, max) ? `must not be greater than ${max}` : null
}

/** A bound that cannot be read is reported itself. */
const isBelow = (value: number, bound: unknown) => value < (readBound(bound) ?? Number.NEGATIVE_INFINITY)
const isAbove = (value: number, bound: unknown) => value > (readBound(bound) ?? Number.POSITIVE_INFINITY)

function toNumber(value: unknown): number {
  return typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN
}

function isRead(parse: (value: unknown) => unknown, value: unknown): boolean {
  try {
    parse(value)
    return true
  } catch {
    return false
  }
}
