// Moments in the zone of the editor. They are stored in UTC, with milliseconds that no field shows.

import { parseAbsolute, toCalendarDateTime, toZoned, type ZonedDateTime } from '@internationalized/date'
import { attempt } from './attempt.ts'

/** The moment of a stored text in a zone; null for a text that is none. */
export const readMoment = (text: string | null | undefined, zone: string): ZonedDateTime | null =>
  text ? attempt(() => parseAbsolute(text, zone)) : null

/**
 * The stored text of a moment that was changed in a field. In the hour that a zone has twice, a change of the minutes stays
 * in the same of both.
 */
export function writeMoment(moment: ZonedDateTime, before: ZonedDateTime | null): string {
  const other = toZoned(toCalendarDateTime(moment), moment.timeZone, 'later')
  const isMoved = before !== null && moment.offset !== before.offset && other.offset === before.offset
  return (isMoved ? other : moment).toAbsoluteString()
}

/** The stored text as people read it: `2026-03-29 01:30 UTC`. */
export const utcNote = (text: string): string => text.replace('T', ' ').replace(/:\d\d(?:\.\d+)?Z$/, ' UTC')
