// Checks scalar values and converts them to the canonical form (B-4.10 to B-4.27). Checks are compiled per attribute.

import type { ScalarAttribute } from '../model/content-type.ts'
import { compileRegex } from '../model/regex.ts'
import { isEmail, uidForm } from '../model/text-forms.ts'
import { parseBiginteger, parseDate, parseDatetime, parseTime } from '../model/values.ts'
import { checkBlocks } from './blocks.ts'
import { wrongType } from './messages.ts'

/** The outcome of a check. */
export interface CheckResult {
  readonly value: unknown
  /** Messages about the attribute itself, in v4's order. */
  readonly messages: readonly string[]
  /** Messages about paths inside the value. */
  readonly inner?: readonly { readonly path: readonly string[]; readonly message: string }[]
}

/** `strict` is false for entries that need not be complete: minimum lengths are not checked then (B-4.76). */
export type ScalarCheck = (value: unknown, path: string, strict: boolean) => CheckResult

const good = (value: unknown): CheckResult => ({ value, messages: [] })
const bad = (message: string): CheckResult => ({ value: null, messages: [message] })

/** Compiles the check of one attribute. It is not called for null, which the caller handles. */
export function compileScalar(attribute: ScalarAttribute): ScalarCheck {
  const { scalar, definition } = attribute
  if (scalar.check !== undefined) {
    const check = scalar.check
    return (value, path) => {
      const message = check(value)
      return message === null ? good(value) : bad(`${path} ${message}`)
    }
  }
  switch (scalar.family) {
    case 'text':
      return compileText(attribute)
    case 'enumeration': {
      const values = definition.enum as string[]
      // v4 lists null as the last, empty item.
      return (value, path) =>
        values.includes(value as string)
          ? good(value)
          : bad(`${path} must be one of the following values: ${values.join(', ')}, `)
    }
    case 'integer':
    case 'number':
      return compileNumber(definition, scalar.family === 'integer')
    case 'biginteger':
      return (value, path) => {
        const digits = parseBiginteger(value)
        return digits === null ? bad(`${path} must be a 64-bit whole number`) : good(digits)
      }
    case 'boolean':
      return (value, path) => {
        if (typeof value === 'boolean') return good(value)
        const text = typeof value === 'object' ? '' : String(value)
        if (/^(true|1)$/i.test(text)) return good(true)
        return /^(false|0)$/i.test(text) ? good(false) : bad(wrongType(path, 'boolean', value))
      }
    case 'date':
      return (value, path) => good(parseDate(value, path))
    case 'time':
      return (value, path) => good(parseTime(value, path))
    case 'datetime':
      return (value, path) => good(parseDatetime(value, path))
    case 'blocks':
      return value => {
        // v4 stores null for a text.
        if (typeof value === 'string') return good(null)
        const inner = checkBlocks(value)
        return { value, messages: [], inner }
      }
    case 'json':
      return good
  }
}

function compileText(attribute: ScalarAttribute): ScalarCheck {
  const { definition, scalar, type } = attribute
  const min = typeof definition.minLength === 'number' ? definition.minLength : 0
  const max = typeof definition.maxLength === 'number' ? definition.maxLength : Number.POSITIVE_INFINITY
  const { maxBytes } = scalar
  const source = definition.regex as string | undefined
  const matches = source === undefined ? null : compileRegex(source)
  const printed = source === undefined ? '' : String(new RegExp(source))
  return (value, path, strict) => {
    if (typeof value !== 'string') return bad(wrongType(path, 'string', value))
    const messages: string[] = []
    if (strict && value.length < min) messages.push(`${path} must be at least ${min} characters`)
    if (value.length > max) messages.push(`${path} must be at most ${max} characters`)
    if (matches !== null && !(value === '' && !attribute.required) && !matches(value)) {
      messages.push(`${path} must match the following: "${printed}"`)
    }
    if (type === 'email' && value === '') messages.push(`${path} cannot be empty`)
    else if (type === 'email' && !isEmail(value)) messages.push(`${path} must be a valid email`)
    if (type === 'uid' && !uidForm.test(value)) messages.push(`${path} must match the following: "${uidForm}"`)
    if (maxBytes !== undefined && Buffer.byteLength(value) > maxBytes)
      messages.push(`${path} must be at most ${maxBytes} bytes`)
    if (value.includes('\0')) messages.push(`${path} must not contain a NUL character`)
    return messages.length === 0 ? good(value) : { value, messages }
  }
}

function compileNumber(definition: Readonly<Record<string, unknown>>, isInteger: boolean): ScalarCheck {
  const bound = (value: unknown) => (value === undefined || value === null || value === '' ? null : Number(value))
  const min = bound(definition.min)
  const max = bound(definition.max)
  return (value, path) => {
    const number = toNumber(value)
    if (Number.isNaN(number)) return bad(wrongType(path, 'number', Number.NaN, value))
    if (!Number.isFinite(number)) return bad(wrongType(path, 'number', number, value))
    const messages: string[] = []
    if (isInteger && !Number.isInteger(number)) messages.push(`${path} must be an integer`)
    if (min !== null && number < min) messages.push(`${path} must be greater than or equal to ${min}`)
    if (max !== null && number > max) messages.push(`${path} must be less than or equal to ${max}`)
    return messages.length === 0 ? good(number) : { value: number, messages }
  }
}

/** Converts like v4's validator: text without blanks, empty text to NaN, a list by the start of its first item. */
function toNumber(value: unknown): number {
  if (typeof value === 'number') return value
  if (typeof value === 'string') {
    const text = value.replace(/\s/g, '')
    return text === '' ? Number.NaN : Number(text)
  }
  const first = firstOf(value)
  if (typeof first === 'string') return Number.parseFloat(first)
  return typeof first === 'number' ? first : Number.NaN
}

/** Returns the first item of nested lists. It is not converted, because conversions may throw. */
function firstOf(value: unknown): unknown {
  let first = value
  for (let level = 0; Array.isArray(first) && level < 64; level++) first = first[0]
  return first
}
