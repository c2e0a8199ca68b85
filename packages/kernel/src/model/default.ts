// Judges the `default` of an attribute (B-4.8). One that no entry can have does not stop a start, as in v4: a create without
// the value is a 400.

import { scalarTypes } from './attribute-types.ts'
import type { AttributeDefinition } from './content-type.ts'
import type { Fail } from './fault-list.ts'
import { parseBiginteger, parseDate, parseDatetime, parseTime } from './values.ts'

/**
 * Warns only of defaults that are certainly invalid; texts and lists have further rules, which an entry may still
 * satisfy.
 */
export function checkDefault(definition: AttributeDefinition, warn: Fail): void {
  const { default: value, type } = definition
  // An empty input of a form writes "".
  if (value === undefined || value === null || value === '' || typeof value === 'function') return
  const fault = findFault(type, value, definition)
  if (fault !== null)
    warn('default', `${fault}, found ${JSON.stringify(value)}; until it is, entries without a value are refused`)
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

function findFault(type: string, value: unknown, { enum: values }: AttributeDefinition): string | null {
  switch (scalarTypes[type]?.family) {
    case 'integer':
      return Number.isInteger(toNumber(value)) ? null : 'must be an integer'
    case 'biginteger':
      return parseBiginteger(value) === null ? 'must be a 64-bit integer' : null
    case 'number':
      return Number.isFinite(toNumber(value)) ? null : 'must be a number'
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
