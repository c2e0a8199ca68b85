// The scalars of the generated schema: dates, large numbers and JSON, with the forms and the messages of v4 (B-9.40).

import { ValidationError } from '@plinth/kernel'
import { cite } from '@plinth/server/transport'
import { GraphQLError, GraphQLScalarType, Kind, type ValueNode, valueFromASTUntyped } from 'graphql'
import { containsFile } from './received-files.ts'

const rfc =
  'of the RFC 3339 profile of the ISO 8601 standard for representation of dates and times using the Gregorian calendar.'

/** The messages of a scalar about values, in v4's words. */
interface Refusals {
  /** The message for a value that is not a text. */
  readonly type: string
  /** The message for a text in another form. */
  readonly form: string
}

/** A scalar whose values are text in one form. `check` returns the normalized text, or null for other text. */
function textScalar(
  name: string,
  description: string,
  check: (text: string) => string | null,
  { type, form }: Refusals,
): GraphQLScalarType {
  // An error that names its node is answered with the place of the literal.
  const read = (value: unknown, valueText: string, nodes?: ValueNode): string => {
    if (typeof value !== 'string')
      throw new GraphQLError(`${name} cannot represent non ${type} ${cite(valueText)}`, { nodes })
    const normal = check(value)
    if (normal === null)
      throw new GraphQLError(`${name} cannot represent an invalid ${form} ${cite(value)}.`, { nodes })
    return normal
  }
  return new GraphQLScalarType({
    name,
    description,
    serialize: value => (value instanceof Date ? value.toISOString() : read(value, String(value))),
    parseValue: value => read(value, JSON.stringify(value)),
    parseLiteral: node => read(node.kind === Kind.STRING ? node.value : null, shownLiteral(node), node),
  })
}

/** As the library of v4 shows a literal: lists and objects are `false`. */
function shownLiteral(node: ValueNode): string {
  return String('value' in node && node.value)
}

function printed(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const dateForm = /^(\d{4})-(\d\d)-(\d\d)$/
const dateTimeForm = /^(\d{4}-\d\d-\d\d)[Tt](\d\d):(\d\d):(\d\d)(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/
const timeForm = /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,3}))?$/

/**
 * All days but the 29th of February: dates are checked by their text alone, which takes a tenth of the time of a Date.
 */
const plainDay = /\d{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)/
const plainDate = new RegExp(`^${plainDay.source}$`)
const plainDateTime = new RegExp(`^${plainDay.source}T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}Z$`)

function checkDate(text: string): string | null {
  if (plainDate.test(text)) return text
  const parts = dateForm.exec(text)
  if (parts === null) return null
  const date = new Date(`${text}T00:00:00.000Z`)
  return !Number.isNaN(date.getTime()) && date.getUTCDate() === Number(parts[3]) ? text : null
}

function checkDateTime(text: string): string | null {
  if (plainDateTime.test(text)) return text
  const parts = dateTimeForm.exec(text)
  if (parts === null || checkDate(parts[1]!) === null) return null
  const date = new Date(text.toUpperCase())
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}

/** Throws an error without a place: graphql-js adds the literal or the type, and the place (B-2.129). */
function readTime(value: unknown): string {
  if (typeof value !== 'string') throw new ValidationError(`Expected a string, got a ${typeof value}`)
  const parts = timeForm.exec(value)
  if (parts === null) throw new ValidationError('Invalid time format, expected HH:mm:ss.SSS')
  const [, hours, minutes, seconds, fraction = ''] = parts
  return `${hours}:${minutes}:${seconds}.${fraction.padEnd(3, '0')}`
}

export const DateScalar = textScalar(
  'Date',
  `A date string, such as 2007-12-03, compliant with the \`full-date\` format outlined in section 5.6 ${rfc}`,
  checkDate,
  { type: 'string type', form: 'date-string' },
)

export const DateTimeScalar = textScalar(
  'DateTime',
  `A date-time string at UTC, such as 2007-12-03T10:15:30Z, compliant with the \`date-time\` format outlined in section 5.6 ${rfc}`,
  checkDateTime,
  { type: 'string or Date type', form: 'date-time-string' },
)

export const TimeScalar = new GraphQLScalarType({
  name: 'Time',
  description: 'A time string with format HH:mm:ss.SSS',
  // Databases and code may leave out the seconds.
  serialize: value => readTime(typeof value === 'string' && /^\d\d:\d\d$/.test(value) ? `${value}:00` : value),
  parseValue: readTime,
  parseLiteral: node => {
    if (node.kind !== Kind.STRING) throw new ValidationError('Time cannot represent non string type')
    return readTime(node.value)
  },
})

function readLong(value: unknown): number | string {
  if (typeof value === 'number' && Number.isInteger(value)) return value
  if (typeof value === 'bigint' || (typeof value === 'string' && /^-?\d{1,19}$/.test(value))) return shortest(value)
  throw new GraphQLError(`Long cannot represent a non-integer value: ${cite(printed(value))}`)
}

/** A number where JavaScript has it exactly, otherwise text. */
export function shortest(value: string | bigint): number | string {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : String(value)
}

export const LongScalar = new GraphQLScalarType({
  name: 'Long',
  description: 'The `BigInt` scalar type represents non-fractional signed whole numeric values.',
  serialize: readLong,
  parseValue: readLong,
  parseLiteral: node => readLong(node.kind === Kind.INT || node.kind === Kind.STRING ? node.value : null),
})

/** The value of a literal, with the variables in it. */
export function readLiteral(node: ValueNode, variables: Readonly<Record<string, unknown>> | null | undefined): unknown {
  return valueFromASTUntyped(node, variables)
}

export const JsonScalar = new GraphQLScalarType({
  name: 'JSON',
  description:
    'The `JSON` scalar type represents JSON values as specified by [ECMA-404](http://www.ecma-international.org/publications/files/ECMA-ST/ECMA-404.pdf).',
  specifiedByURL: null,
  parseValue(value) {
    if (containsFile(value)) throw new GraphQLError('JSON cannot represent a file.')
    return value
  },
  parseLiteral: readLiteral,
})
