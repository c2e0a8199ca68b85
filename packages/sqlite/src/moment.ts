// Reads the moments of SQLite's columns: epoch milliseconds, or the text of one who wrote SQL by hand.

import { parseDatetime } from '@plinth/kernel/database'

/**
 * Returns the epoch milliseconds of a stored value; NaN if it is not a date. Text without a zone is UTC, as that of
 * SQLite's own CURRENT_TIMESTAMP is.
 */
export function momentOf(raw: unknown): number {
  if (typeof raw === 'number') return raw
  try {
    return parseDatetime(typeof raw === 'string' ? raw.trim() : raw)
  } catch {
    return new Date(String(raw)).getTime()
  }
}

/**
 * Returns whether a number is a date. A value that is not one reads as null, so that one bad row does not fail the
 * whole list.
 */
export function isDate(ms: number): boolean {
  return Math.abs(ms) <= 8.64e15
}
