// Builds the messages of PostgreSQL's extended query protocol that a client sends. Depends on neither statements nor
// responses.

import type { Bound } from '../../sql/dialect.ts'

/** Prepares a text under a name (Parse). */
export function parseMessage(name: string, text: string): Buffer {
  return message('P', `${name}\0${text}\0`, 2)
}

/** Closes a prepared statement, if it exists (Close). */
export function closeMessage(name: string): Buffer {
  return message('C', `S${name}\0`)
}

/** Requests the columns of the bound statement (Describe). */
export const describeMessage = message('D', 'P\0')

/** Runs the bound statement without a limit of rows (Execute). */
export const executeMessage = message('E', '\0', 4)

/** Ends a run: after an error, the server skips all messages up to this one (Sync). */
export const syncMessage = message('S', '')

/** A message: type, length, text, and trailing zero bytes. */
function message(type: string, text: string, zeros = 0): Buffer {
  const length = 4 + Buffer.byteLength(text) + zeros
  const made = Buffer.alloc(length + 1)
  made.write(type, 0)
  made.writeInt32BE(length, 1)
  made.write(text, 5)
  return made
}

/** Binds values to a prepared statement (Bind): buffers in binary format, all others as text; results as text. */
export function bindMessage(name: string, values: readonly Bound[]): Buffer {
  const sent = values.map(value => (value === null || Buffer.isBuffer(value) ? value : textOf(value)))
  const sizes = sent.map(value => (value === null ? 0 : Buffer.byteLength(value)))
  // Header and names, a format and a size for each value, the values, one format for all results.
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
