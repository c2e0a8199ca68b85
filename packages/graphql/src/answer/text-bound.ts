// Bounds the text of an answer while it is written, which is done without a pause: a long one is written anew in slices, and
// its bytes count for the share of the request. Does not know what is written.

import type { Share } from '@plinth/server/transport'
import { answerLimits, TooLong } from './too-long.ts'

/** Maximum number of characters of a text that is written without a pause. */
const shortText = 512 * 1024

/** Number of characters that are written before they are counted again. */
const step = 256 * 1024

/** Thrown if a text is too long to be written without a pause. */
export class LongText extends Error {}

// Writing never waits, so one bound serves all answers.
let next = Number.POSITIVE_INFINITY
let isShort = false
let counted = 0
let share: Share | null = null

/** Called while a text grows. Throws TooLong, LongText, and UnavailableError if the server has no room for it. */
export function checkLength(length: number): void {
  if (length > next) pass(length)
}

function pass(length: number): void {
  if (length > answerLimits.maxBytes) throw new TooLong(length)
  if (isShort) throw new LongText()
  next = Math.min(length + step, answerLimits.maxBytes)
  if (share === null || length <= counted) return
  const more = length - counted
  counted = length
  if (!share.add('answers', more)) throw share.refuse('answers')
}

/** Writes a text that may be short. Throws LongText, and TooLong. */
export function writeShort(write: () => string): string {
  isShort = true
  return bounded(write, shortText)
}

/** Writes a part of a long text, whose bytes count for `by`; null if nobody counts them. Throws TooLong and UnavailableError. */
export function writePart(by: Share | null, write: () => string): string {
  isShort = false
  share = by
  counted = 0
  const text = bounded(write, step)
  if (by !== null) by.add('answers', text.length - counted)
  return text
}

function bounded(write: () => string, from: number): string {
  next = from
  try {
    return write()
  } finally {
    next = Number.POSITIVE_INFINITY
    share = null
  }
}
