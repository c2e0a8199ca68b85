// The messages of PostgreSQL's extended query protocol that a client sends, as bytes. Knows neither statements nor answers.

import type { Bound } from '../../sql/dialect.ts'

/** Prepares a text under a name. */
export function parseMessage(name: string, text: string): Buffer {
  return message('P', `${name}\0${text}\0`, 2)
}

/** Forgets a prepared statement, if there is one. */
export function closeMessage(name: string): Buffer {
  return message('C', `S${name}\0`)
}

/** Asks for the columns of what was bound. */
export const describeMessage = message('D', 'P\0')

/** Runs what was bound, without an end of rows. */
export const executeMessage = message('E', '\0', 4)

/** Ends a run: what failed before it makes the server skip all up to it. */
export const syncMessage = message('S', '')

/** A type, the length, a text, and zero bytes behind it. */
function message(type: string, text: string, zeros = 0): Buffer {
  const length = 4 + Buffer.byteLength(text) + zeros
  const made = Buffer.alloc(length + 1)
  made.write(type, 0)
  made.writeInt32BE(length, 1)
  made.write(text, 5)
  return made
}

/** Binds values to a prepared statement: as text, bytes as they are; results as text. */
export function bindMessage(name: string, values: readonly Bound[]): Buffer {
  const sent = values.map(value => (value === null || Buffer.isBuffer(value) ? value : textOf(value)))
  const sizes = sent.map(value => (value === null ? 0 : Buffer.byteLength(value)))
  // Head and names, a form and a size for each value, the values, one form for all results.
  const length = 12 + Buffer.byteLength(name) + 6 * sent.length + sizes.reduce((sum, size) => sum + size, 0)
  const made = Buffer.allocUnsafe(length + 1)
  let at = made.writeUInt8(0x42, 0)
  at = made.writeInt32BE(length, at)
  at = made.writeUInt8(0, at)
  at += made.write(name, at)
  at = made.writeUInt8(0, at)
  at = made.writeUInt16BE(sent.length, at)
  for (const value of sent) at = made.writeUInt16BE(Buffer.isBuffer(value) ? 1 : 0, at)
  at = made.writeUInt16BE(sent.length, at)
  for (const [i, value] of sent.entries()) {
    at = made.writeInt32BE(value === null ? -1 : sizes[i]!, at)
    if (value !== null) at += typeof value === 'string' ? made.write(value, at) : value.copy(made, at)
  }
  made.writeUInt16BE(0, at)
  return made
}

function textOf(value: Exclude<Bound, Buffer | null>): string {
  if (typeof value === 'string') return value
  return Array.isArray(value) ? `{${value.map(elementOf).join(',')}}` : String(value)
}

function elementOf(value: unknown): string {
  if (value === null) return 'NULL'
  return typeof value === 'string' ? `"${value.replace(/["\\]/g, '\\$&')}"` : String(value)
}
