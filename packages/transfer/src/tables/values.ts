// Converts values of columns to and from the JSON of an archive, which is the same for all databases.

import { type Storage, ValidationError } from '@plinth/kernel'
import { type BoundOne, type ColumnKind, type Dialect, isStructural, parseTime } from '@plinth/kernel/tables'

/** A value that a column cannot hold; the message is the end of a sentence that begins with the name of the column. */
export class UnfitValue extends Error {}

/** Returns the JSON value of what a column has. Datetimes are ISO text, times have milliseconds, whole numbers of 64 bits are text. */
export function toArchive({ codecs }: Dialect, kind: ColumnKind, raw: unknown): unknown {
  if (raw === null || raw === undefined) return null
  if (isStructural(kind)) return Number(raw)
  const value = codecs[kind as Storage].decode(raw as never)
  return kind === 'time' ? timeOf(String(value)) : value
}

/** Returns what a statement binds for a JSON value. Throws UnfitValue. */
export function fromArchive(dialect: Dialect, kind: ColumnKind, value: unknown): BoundOne {
  if (value === null || value === undefined) return null
  if (isStructural(kind)) return numberOf(value)
  const storage = kind as Storage
  const canonical = canonicalOf(storage, value)
  const fault = dialect.refuse?.(storage, canonical) ?? null
  if (fault !== null) throw new UnfitValue(fault)
  return dialect.codecs[storage].encode(canonical as never) as BoundOne
}

function canonicalOf(storage: Storage, value: unknown): unknown {
  switch (storage) {
    case 'json':
      return value
    case 'boolean':
      if (value === true || value === 1) return true
      if (value === false || value === 0) return false
      throw unfit(value, 'boolean')
    case 'integer':
    case 'float':
    case 'decimal':
      return numberOf(value)
    case 'datetime':
    case 'timestamp': {
      const ms = typeof value === 'string' && !/^\d+$/.test(value) ? Date.parse(value) : Number(value)
      if (!Number.isFinite(ms)) throw unfit(value, 'date')
      return ms
    }
    case 'biginteger':
      if (!/^-?\d+$/.test(String(value))) throw unfit(value, 'whole number')
      return String(value)
    case 'time':
      return timeOf(textOf(value))
    default:
      return textOf(value)
  }
}

function textOf(value: unknown): string {
  if (typeof value === 'object') throw unfit(value, 'text')
  return String(value)
}

/**
 * Returns a time with its milliseconds, which some databases leave out if they are zero. A text that is not a time stays as
 * it is: some databases store any.
 */
function timeOf(text: string): string {
  try {
    return parseTime(text)
  } catch (error) {
    if (error instanceof ValidationError) return text
    throw error
  }
}

function numberOf(value: unknown): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number)) throw unfit(value, 'number')
  return number
}

function unfit(value: unknown, what: string): UnfitValue {
  return new UnfitValue(`must be a ${what}, found ${(JSON.stringify(value) ?? String(value)).slice(0, 80)}`)
}
