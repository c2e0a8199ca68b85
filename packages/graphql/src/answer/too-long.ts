// The maximum size of an answer, and how the length of one that is executed is found before its text is made. Answers to
// mutations have no maximum, because what they report has happened.

import type { AnswerLimits } from '@plinth/kernel'

/** The maximum size of an answer, as the REST API has it by default. */
export const answerLimits: AnswerLimits = { maxEntries: 100_000, maxBytes: 50 * 1024 * 1024 }

/** The text of an answer would be longer than the limit. */
export class TooLong extends Error {
  /** The number of characters that it has at least. */
  readonly length: number

  constructor(length: number) {
    super('The answer is too long')
    this.length = length
  }
}

/** The length of the JSON text of a value without escapes. Counting ends above the limit. */
export function lengthOf(value: unknown, limit: number): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return 4
  let length = 2
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && length <= limit; i++) length += lengthOf(value[i], limit - length) + 1
    return length
  }
  // Unlike Object.entries, this makes no lists: it runs for each object of each answer that is executed.
  for (const key in value) {
    const member = (value as Record<string, unknown>)[key]
    length += key.length + 4
    length += typeof member === 'string' ? member.length + 2 : lengthOf(member, limit - length)
    if (length > limit) return length
  }
  return length
}
