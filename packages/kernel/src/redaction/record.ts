// Leaves secrets out of values as JSON has them, such as the records of a log. Names decide about what is below them,
// and texts are searched.

import { isSecretName } from './names.ts'
import { redacted, redactLiterals, redactSent, redactText } from './text.ts'

/** Below these names is what a client has sent. */
const sent = /^(?:query|query_?string|search|body|raw_?body|params|parameters|variables|payload|form)$/i

/** Headers in a list of names and values, as Node has them in `rawHeaders`. */
const headerName = /^(?:(?:proxy-)?authorization|(?:set-)?cookie|x-api-key)$/i

/** Deeper values are left out as a whole. */
const maxDepth = 20

/**
 * A copy without what is secret: values whose name says so, whatever they are, and what redactText finds in texts. For
 * values that JSON can express.
 */
export function redactRecord(value: unknown): unknown {
  return redactValue(value, { isSent: false, depth: 0 })
}

/** The place of a value: `isSent` is true if a client has sent it. */
interface Place {
  readonly isSent: boolean
  readonly depth: number
}

function redactValue(value: unknown, place: Place): unknown {
  if (typeof value === 'string') return place.isSent ? redactSent(value) : redactText(value)
  if (typeof value !== 'object' || value === null) return value
  if (place.depth === maxDepth) return redacted
  const below = { ...place, depth: place.depth + 1 }
  if (Array.isArray(value)) return value.map((one, i) => (isHeader(value[i - 1]) ? redacted : redactValue(one, below)))
  const members = Object.entries(value)
  // A logger that is given a list writes its items as members.
  const isAfterHeader = (name: string, i: number) => /^\d+$/.test(name) && isHeader(members[i - 1]?.[1])
  return Object.fromEntries(
    members.map(([name, one], i) => [name, isAfterHeader(name, i) ? redacted : redactMember(name, one, below)]),
  )
}

/** Returns whether the item before one in a list is the name of a header, or another name whose value follows it. */
const isHeader = (before: unknown) =>
  typeof before === 'string' &&
  (headerName.test(before) || (/^[\w-]{1,64}$/.test(before) && isSecretName(before, false)))

function redactMember(name: string, value: unknown, place: Place): unknown {
  if (value === null || typeof value === 'boolean') return value
  if (isSecretName(name, place.isSent)) return redacted
  if (name === 'sql' && typeof value === 'string') return redactText(redactLiterals(value))
  // The words of a command of Redis, which may be AUTH.
  if (name === 'args' && Array.isArray(value)) return redacted
  return redactValue(value, { ...place, isSent: place.isSent || sent.test(name) })
}
