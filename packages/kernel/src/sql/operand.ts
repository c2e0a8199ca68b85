// Converts the values of operands before they are bound. Values that a caller sent are converted as v4 does. A
// per-request value that is missing becomes NULL, with which neither a comparison nor its negation holds.

import type { Context } from '../context.ts'
import type { Operand } from '../plan/operand.ts'
import type { Column } from '../plan/plan.ts'
import type { Comparison } from '../query/operators.ts'
import type { Bound, BoundOne, Codec, Dialect } from './dialect.ts'
import { type Binder, operandValue } from './statement.ts'

/** Value → canonical value, or a list of canonical values. */
type Cast = (value: unknown) => unknown

/** The conversion of a value that a caller sent: the items of a list one by one. */
export function castSent(cast: Cast): Cast {
  return value => (Array.isArray(value) ? value.map(cast) : cast(value))
}

/** The conversion of a per-request value. Null stands for NULL. */
export function castPerRequest(comparison: Comparison, cast: Cast): Cast {
  const castOne = (value: unknown) => (isMissing(value) ? null : cast(value))
  switch (comparison) {
    case 'in':
    case 'notIn':
      // Not an empty list, outside of which every entry is.
      return value => (Array.isArray(value) ? value.map(castOne) : [castOne(value)])
    case 'between':
      // With one end only, entries beyond it would fulfil the negation.
      return value => (isPair(value) ? value.map(cast) : [null, null])
    default:
      return value => (Array.isArray(value) ? null : castOne(value))
  }
}

/** Longer texts are converted each time, so that statements hold no memory that callers can fill. */
const maxKeptLength = 64

/**
 * The binder of an operand. It converts a value only if it differs from the one before: a rule compares with the same
 * value for many callers. Lists may change in place, so they are converted each time.
 */
export function rememberLast(operand: Operand, convert: (value: unknown) => readonly Bound[]): Binder {
  let last: unknown
  let bound: readonly Bound[] | null = null
  return (values, context) => {
    const value = operandValue(operand, values, context)
    if (bound !== null && value === last) return bound
    if (typeof value === 'object' || (typeof value === 'string' && value.length > maxKeptLength)) return convert(value)
    bound = convert(value)
    last = value
    return bound
  }
}

/** The conversion of a per-request value by an operator of a plugin, which never receives a missing value. */
export function encodePerRequest(encode: Cast): Cast {
  return value => (isMissing(value) || (Array.isArray(value) && value.some(isMissing)) ? null : encode(value))
}

/** Returns whether a value, and each item of a list, is there. */
export function isGiven(operand: Operand, values: readonly unknown[], context: Context): boolean {
  const value = operandValue(operand, values, context)
  return Array.isArray(value) ? !value.some(isMissing) : !isMissing(value)
}

function isMissing(value: unknown): boolean {
  return value === null || value === undefined
}

function isPair(value: unknown): value is readonly [unknown, unknown] {
  return Array.isArray(value) && value.length === 2 && !value.some(isMissing)
}

/** The tests of a column: those of the database, unless the column cannot hold every text. */
export function testsOf(dialect: Dialect, { table, column, storage }: Column): Pick<Dialect, 'compare' | 'operands'> {
  const isText = storage === 'string' || storage === 'text'
  return (isText ? dialect.narrowTests?.(table, column) : null) ?? dialect
}

/** Returns the conversion of canonical values to bind values, for comparisons. */
export function encoderOf(dialect: Dialect, column: Column): (value: unknown) => BoundOne {
  if (column.storage === 'id' || column.storage === 'json' || column.storage === 'biginteger')
    return value => value as BoundOne
  const codec: Codec = dialect.codecs[column.storage]
  return value => (value === null ? null : (codec.encode(value as never) as BoundOne))
}
