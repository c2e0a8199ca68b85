// Cuts what errors cite of a request, so that no answer that reports errors is large: a name of a megabyte is not sent
// back. Transports convert errors by it to the answers of their format, of which it knows nothing.

import type { PlinthError } from '@plinth/kernel'

/** The maximum number of characters that an error cites of a name, a path or a value. */
const maxCited = 200
/** The maximum number of characters of a message with all that it cites. Lists of what is allowed are longer than one name. */
const maxMessage = 1000
/** The maximum number of bytes of the details of an error, as JSON. */
const maxDetails = 48 * 1024
/** The maximum number of bytes of details whose texts are longer than `maxCited`; they are those of an application. */
const maxFreeDetails = 16 * 1024

/** The parts of an error that an answer shows. */
export interface ShownError {
  readonly message: string
  readonly details: Record<string, unknown> | null
}

/** The beginning of a text that a client has sent, for a message: 200 characters, and `…` if there are more. */
export function cite(text: string): string {
  return cut(text, maxCited)
}

/** The text, or its beginning in whole characters. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text
  const begin = text.slice(0, most)
  return `${begin.isWellFormed() ? begin : begin.slice(0, -1)}…`
}

/** The message and the details of an error, without what makes an answer large. */
export function shownError({ message, details, at, cited }: PlinthError): ShownError {
  const path = typeof details?.path === 'string' ? details.path : null
  return {
    message: message.length > maxCited ? cutMessage(message, [cited, path, at]) : message,
    details: details === null ? null : cutDetails(details),
  }
}

/**
 * A message whose cited names and values are cut: those that are given, quoted texts, and words that are longer than any
 * word of a message.
 */
export function cutMessage(message: string, cited: readonly (string | null)[] = []): string {
  if (message.length <= maxCited) return message
  let text = message
  for (const one of cited) if (one !== null && one.length > maxCited) text = text.replaceAll(one, () => cite(one))
  // Nothing behind this number of characters is shown, and the patterns need not read it.
  text = text.slice(0, 64 * maxMessage)
  // It also matches a quotation without an end: otherwise each quote in it would be tried up to the end of the text.
  text = text.replace(/"(?:[^"\\]|\\.?)*"?/gs, quoted =>
    quoted.length > maxCited + 2 ? `"${cite(quoted.slice(1, -1))}"` : quoted,
  )
  text = text.replace(/\S+/g, run => (run.length > maxCited + 20 ? cite(run) : run))
  return cut(text, maxMessage)
}

/** Details whose paths are cut, and whose other texts are cut if all together are large. */
function cutDetails(details: Record<string, unknown>): Record<string, unknown> {
  const size = bytesOf(details)
  if (size <= maxCited) return details
  const room = { bytes: maxDetails, isFree: size <= maxFreeDetails }
  return cutMembers(details, room, false)
}

interface Room {
  bytes: number
  /** True if texts that are neither paths nor messages stay whole. */
  readonly isFree: boolean
}

function cutValue(value: unknown, room: Room, isPath: boolean): unknown {
  if (typeof value === 'string') return take(isPath || !room.isFree ? cite(value) : value, room)
  if (typeof value !== 'object' || value === null) return take(value, room)
  if ('toJSON' in value) return take(room.isFree ? value : cite(JSON.stringify(value) ?? ''), room)
  return Array.isArray(value)
    ? cutList(value, room, isPath)
    : cutMembers(value as Record<string, unknown>, room, isPath)
}

/** The items for which there is room. */
function cutList(list: readonly unknown[], room: Room, isPath: boolean): unknown[] {
  const items: unknown[] = []
  for (const one of list) {
    const before = room.bytes
    const item = cutValue(one, room, isPath)
    if (room.bytes < 0) {
      room.bytes = before
      break
    }
    items.push(item)
  }
  return items
}

function cutMembers(members: Record<string, unknown>, room: Room, isPath: boolean): Record<string, unknown> {
  const entries: [string, unknown][] = []
  room.bytes -= 2
  for (const [key, value] of Object.entries(members)) {
    const name = take(cite(key), room) as string
    const isMessage = key === 'message' && typeof value === 'string'
    const member = isMessage
      ? take(cutMessage(value, [pathOf(members)]), room)
      : cutValue(value, room, isPath || key === 'path')
    if (room.bytes < 0) break
    entries.push([name, member])
  }
  return Object.fromEntries(entries)
}

/** The path of a fault in an entry, as its message has it. */
function pathOf({ path }: Record<string, unknown>): string | null {
  return Array.isArray(path) ? path.join('.') : null
}

/** Counts a value, also the comma or colon behind it. */
function take(value: unknown, room: Room): unknown {
  room.bytes -= bytesOf(value) + 1
  return value
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '')
}
