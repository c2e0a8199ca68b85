// Which values of one type of column are values of another, and how they become it.

import type { ColumnKind } from '../database/layout.ts'
import type { Ddl, Family } from '../database/ddl.ts'

/** How a column changes its type. */
export interface Conversion {
  /** Every value of the old type is one of the new one and can go back. */
  readonly widens: boolean
  /** True of values that have no place in the new type; null where all have. */
  readonly bad: string | null
  /** The new value. */
  readonly using: string
}

const texts = ['string', 'text']
const numbers = ['integer', 'biginteger', 'float', 'decimal']

/** Whole numbers that a type holds. */
const bounds: Readonly<Record<string, readonly [string, string]>> = {
  integer: ['-2147483648', '2147483647'],
  biginteger: ['-9223372036854775808', '9223372036854775807'],
}

/** Numbers of one type that always have a place in the other. */
const widenings = new Set(['integer biginteger', 'integer float', 'decimal float'])

/** The conversion of a column, or null where none is known. */
export function conversionOf(ddl: Ddl, from: Family, to: ColumnKind, column: string): Conversion | null {
  if (from === null) return null
  if (texts.includes(to)) return toText(ddl, from, to, column)
  if (texts.includes(from)) return fromText(ddl, to, column)
  if (numbers.includes(from) && numbers.includes(to)) return betweenNumbers(ddl, from, to, column)
  if (from === 'boolean' && to === 'integer') return { widens: true, bad: null, using: truth(ddl, column, '1', '0') }
  if (from === 'integer' && to === 'boolean')
    return { widens: false, bad: `${column} NOT IN (0, 1)`, using: oneIsTrue(ddl, column) }
  return null
}

function toText(ddl: Ddl, from: Exclude<Family, null>, to: ColumnKind, column: string): Conversion {
  const { values } = ddl
  const text = texts.includes(from) ? column : values.text(column)
  const isLong = to === 'string' && (from === 'text' || from === 'json')
  // MySQL writes values as text by itself where it changes the column.
  const using = ddl.name === 'mysql' ? column : values.cast(text, to)
  return { widens: !isLong, bad: isLong ? `${values.length(text)} > 255` : null, using }
}

function fromText(ddl: Ddl, to: ColumnKind, column: string): Conversion | null {
  const { values } = ddl
  const number = values.number(column)
  if (to === 'integer' || to === 'biginteger') {
    const [least, most] = bounds[to]!
    // Longer texts are no such number whatever they begin with, and casts would cut them.
    const fits = `${values.length(column)} <= 40 AND ${number} BETWEEN ${least} AND ${most}`
    const exact = ddl.name === 'sqlite' ? ` AND ${sqliteExact(column)}` : ''
    return {
      widens: false,
      bad: `NOT CASE WHEN ${values.isWhole(column)} THEN ${fits}${exact} ELSE ${no(ddl)} END`,
      using: ddl.name === 'mysql' ? `CAST(CAST(TRIM(${column}) AS DECIMAL(40)) AS CHAR)` : values.cast(number, to),
    }
  }
  if (to === 'float') {
    const using = ddl.name === 'mysql' ? `TRIM(${column})` : values.cast(number, to)
    return { widens: false, bad: `NOT ${values.isNumber(column)}`, using }
  }
  if (to === 'decimal') {
    const fits = `ABS(${number}) < 100000000 AND ${values.round(number)} = ${number}`
    const bad = `NOT CASE WHEN ${values.isNumber(column)} THEN ${fits} ELSE ${no(ddl)} END`
    return { widens: false, bad, using: ddl.name === 'mysql' ? `TRIM(${column})` : values.cast(number, to) }
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

const no = (ddl: Ddl) => (ddl.name === 'postgres' ? 'false' : '0')

/** SQLite cuts whole numbers beyond 64 bits down to the largest: more than 19 digits are too many, and 19 must come back. */
function sqliteExact(column: string): string {
  const digits = `LTRIM(LTRIM(TRIM(${column}), '+-'), '0')`
  return `(LENGTH(${digits}) < 19 OR LTRIM(CAST(CAST(TRIM(${column}) AS INTEGER) AS TEXT), '-') = ${digits})`
}

function betweenNumbers(ddl: Ddl, from: Exclude<Family, null>, to: ColumnKind, column: string): Conversion {
  const { values } = ddl
  const using = values.cast(column, to)
  if (widenings.has(`${from} ${to}`)) return { widens: true, bad: null, using }
  if (to === 'float') return { widens: false, bad: `ABS(${column}) > 9007199254740992`, using }
  if (to === 'decimal') {
    const isCut = `${values.round(column)} <> ${ddl.name === 'postgres' ? `(${column})::numeric` : column}`
    return { widens: false, bad: `(ABS(${column}) >= 100000000 OR ${isCut})`, using }
  }
  const [least, most] = bounds[to]!
  const bad = `(${column} <> ${values.floor(column)} OR ${column} < ${least} OR ${column} > ${most})`
  return { widens: false, bad, using }
}

/** MySQL's booleans are numbers. */
function truth(ddl: Ddl, column: string, yes: string, nay: string): string {
  return ddl.name === 'postgres' ? `CASE WHEN ${column} THEN ${yes} ELSE ${nay} END` : column
}

function oneIsTrue(ddl: Ddl, column: string): string {
  return ddl.name === 'postgres' ? `(${column} = 1)` : column
}
