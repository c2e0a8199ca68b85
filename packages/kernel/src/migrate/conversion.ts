// Determines which values of one column type can be converted to another, and how.

import type { Ddl, Family } from '../connection/ddl.ts'
import type { ColumnKind } from '../connection/layout.ts'

/** The conversion of a column to another type. */
export interface Conversion {
  /** True if every value of the old type fits the new one and can be converted back. */
  readonly widens: boolean
  /** A condition that is true for values that do not fit the new type; null if all fit. */
  readonly bad: string | null
  /** The expression that converts a value. */
  readonly using: string
}

const texts = ['string', 'text']
const numbers = ['integer', 'biginteger', 'float', 'decimal']

/** The ranges of the types of whole numbers. */
const bounds: Readonly<Record<string, readonly [string, string]>> = {
  integer: ['-2147483648', '2147483647'],
  biginteger: ['-9223372036854775808', '9223372036854775807'],
}

/** Pairs of number types in which every value of the first fits the second. */
const widenings = new Set(['integer biginteger', 'integer float', 'decimal float'])

/** Returns the conversion of a column; null if none is known. */
export function conversionOf(ddl: Ddl, from: Family, to: ColumnKind, column: string): Conversion | null {
  if (from === null) return null
  if (texts.includes(to)) return toText(ddl, from, to, column)
  if (texts.includes(from)) return fromText(ddl, to, column)
  if (numbers.includes(from) && numbers.includes(to)) return betweenNumbers(ddl, from, to, column)
  if (from === 'date' && to === 'datetime') return { widens: true, bad: null, using: ddl.values.midnight(column) }
  if (from === 'boolean' && to === 'integer')
    return { widens: true, bad: null, using: ddl.values.fromBoolean(column, '1', '0') }
  if (from === 'integer' && to === 'boolean')
    return { widens: false, bad: `${column} NOT IN (0, 1)`, using: ddl.values.toBoolean(column) }
  return null
}

function toText(ddl: Ddl, from: Exclude<Family, null>, to: ColumnKind, column: string): Conversion {
  const { values } = ddl
  const isText = texts.includes(from)
  const isLong = to === 'string' && (from === 'text' || from === 'json')
  const bad = isLong ? `${values.length(isText ? column : values.text(column))} > 255` : null
  return { widens: !isLong, bad, using: values.toText(column, from, to) }
}

function fromText(ddl: Ddl, to: ColumnKind, column: string): Conversion | null {
  const { values } = ddl
  const number = values.number(column)
  if (to === 'integer' || to === 'biginteger') {
    const [least, most] = bounds[to]!
    // Longer texts are out of range in any case, and casts would truncate them.
    const fits = `${values.length(column)} <= 40 AND ${number} BETWEEN ${least} AND ${most}`
    const exact = values.isExact === null ? '' : ` AND ${values.isExact(column)}`
    return {
      widens: false,
      bad: `NOT CASE WHEN ${values.isWhole(column)} THEN ${fits}${exact} ELSE ${values.never} END`,
      using: values.fromText(column, to),
    }
  }
  if (to === 'float')
    return { widens: false, bad: `NOT ${values.isNumber(column)}`, using: values.fromText(column, to) }
  if (to === 'decimal') {
    const fits = `ABS(${number}) < 100000000 AND ${values.round(number)} = ${number}`
    const bad = `NOT CASE WHEN ${values.isNumber(column)} THEN ${fits} ELSE ${values.never} END`
    return { widens: false, bad, using: values.fromText(column, to) }
  }
  if (to === 'boolean') {
    const word = `LOWER(TRIM(${column}))`
    // No ELSE: null stays null.
    const yes = `WHEN ${word} IN ('true', 't', '1') THEN ${values.true}`
    const using = `CASE ${yes} WHEN ${word} IN ('false', 'f', '0') THEN ${values.false} END`
    return { widens: false, bad: `${word} NOT IN ('true', 'false', 't', 'f', '1', '0')`, using }
  }
  return null
}

function betweenNumbers(ddl: Ddl, from: Exclude<Family, null>, to: ColumnKind, column: string): Conversion {
  const { values } = ddl
  const using = values.cast(column, to)
  if (widenings.has(`${from} ${to}`)) return { widens: true, bad: null, using }
  if (to === 'float') return { widens: false, bad: `ABS(${column}) > 9007199254740992`, using }
  if (to === 'decimal') {
    const isCut = `${values.round(column)} <> ${values.exact(column)}`
    return { widens: false, bad: `(ABS(${column}) >= 100000000 OR ${isCut})`, using }
  }
  const [least, most] = bounds[to]!
  const bad = `(${column} <> ${values.floor(column)} OR ${column} < ${least} OR ${column} > ${most})`
  return { widens: false, bad, using }
}
