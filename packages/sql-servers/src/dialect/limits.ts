// Checks values against the limits of the columns of servers before they are sent. A message is the end of a sentence
// that begins with the value's path, worded like v4's own limits.

import type { Storage } from '@plinth/kernel/database'

/** The limits of a server's columns. */
export interface Ends {
  readonly firstYear: number
  readonly lastYear: number
  /** The range of a timestamp in epoch milliseconds, if it differs from that of a datetime. */
  readonly timestamps?: readonly [first: number, last: number]
  /** The maximum number of levels of nested lists and objects in JSON. */
  readonly jsonDepth?: number
  /** True if texts in JSON may contain a NUL. */
  readonly jsonNul: boolean
}

const greatest = 2_147_483_647

/** Creates a dialect's `refuse`. */
export function refuseBeyond(ends: Ends) {
  const { firstYear, lastYear, timestamps } = ends
  const beyondYears = (ms: number): string | null => {
    const year = new Date(ms).getUTCFullYear()
    return year >= firstYear && year <= lastYear ? null : `must be between the years ${firstYear} and ${lastYear}`
  }
  const beyondTimestamps = (ms: number): string | null => {
    if (timestamps === undefined) return beyondYears(ms)
    const [first, last] = timestamps
    const between = `must be between ${new Date(first).toISOString()} and ${new Date(last).toISOString()}`
    return ms >= first && ms <= last ? null : between
  }
  return (storage: Storage, value: unknown): string | null => {
    switch (storage) {
      case 'string': {
        const size = (value as string).length
        return size > 255 && [...(value as string)].length > 255 ? 'must be at most 255 characters' : null
      }
      case 'integer':
        if ((value as number) > greatest) return `must be less than or equal to ${greatest}`
        return (value as number) < -greatest - 1 ? `must be greater than or equal to ${-greatest - 1}` : null
      case 'decimal':
        return Math.round(Math.abs(value as number) * 100) >= 1e10
          ? 'must have at most 8 digits before the point'
          : null
      case 'biginteger': {
        const digits = String(value)
        const isWhole = /^[+-]?\d+$/.test(digits)
        return isWhole && BigInt.asIntN(64, BigInt(digits)) === BigInt(digits) ? null : 'must be a 64-bit whole number'
      }
      case 'date':
        return (value as string).startsWith('0000') ? 'must be a date of the year 1 or later' : null
      case 'datetime':
        return beyondYears(value as number)
      case 'timestamp':
        return beyondTimestamps(value as number)
      case 'json':
        return beyondJson(ends, value)
      default:
        return null
    }
  }
}

/**
 * In JSON text, lone surrogates and NUL appear as escapes. An escape follows an even number of backslashes, which are
 * escaped backslashes.
 */
const loneSurrogate = /(?:^|[^\\])(?:\\\\)*\\ud[89a-f]/
const nul = /(?:^|[^\\])(?:\\\\)*\\u0000/

function beyondJson({ jsonDepth, jsonNul }: Ends, value: unknown): string | null {
  if (typeof value !== 'object' && typeof value !== 'string') return null
  const text = JSON.stringify(value) ?? ''
  if (text.includes('\\u')) {
    if (!jsonNul && nul.test(text)) return 'must not contain a NUL character'
    if (loneSurrogate.test(text)) return 'must be well-formed Unicode'
  }
  if (jsonDepth === undefined || depthOf(text) <= jsonDepth) return null
  return `must have at most ${jsonDepth} levels of nested lists and objects`
}

/** Returns the number of levels of nested lists and objects in JSON text. */
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  for (const [sign] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (sign === '[' || sign === '{') deepest = Math.max(deepest, ++depth)
    else if (sign === ']' || sign === '}') depth--
  }
  return deepest
}
