// Builds the messages of PostgreSQL's extended query protocol that a client sends. Depends on neither statements nor
// responses.

import { type Bound, UsageError } from '@plinth/kernel/database'

/** Bytes of the buffer that messages are written into, and the size from which it is not kept for the next ones. */
const initialSize = 16 * 1024
const maxKept = 1024 * 1024

/** Maximum number of characters of a text that is copied faster here than by a call of Buffer. */
const shortText = 32

/** The maximum number of bytes that UTF-8 takes for one unit of a string. */
const maxUnit = 3

/** The maximum number of values of one statement. */
const maxValues = 0xffff

/** Types of messages. */
const parse = 0x50
const bind = 0x42
const describe = 0x44
const execute = 0x45
const sync = 0x53
const close = 0x43

/** Names the unnamed portal, which the binding of a statement makes. */
const portal = 0x50
/** Names a prepared statement. */
const statement = 0x53

/**
 * Writes messages one after the other into one buffer, which is sent in one write. Lengths are set when a message is
 * complete, so that no value is measured first.
 */
export class MessageWriter {
  #buffer = Buffer.allocUnsafeSlow(initialSize)
  #at = 0
  /** The position of the current message's length in the buffer. */
  #start = 0

  /** Begins anew: what a run that failed has written is not sent. */
  clear(): void {
    this.#at = 0
  }

  /** Prepares a text under a name (Parse). */
  parse(name: string, text: string): void {
    this.#begin(parse)
    this.#zeroEnded(name)
    this.#zeroEnded(text)
    this.#int2(0)
    this.#end()
  }

  /** Closes a prepared statement, if it exists (Close). */
  close(name: string): void {
    this.#begin(close)
    this.#byte(statement)
    this.#zeroEnded(name)
    this.#end()
  }

  /** Binds values to a prepared statement (Bind): buffers in binary format, all others as text; results as text. Throws UsageError. */
  bind(name: string, values: readonly Bound[]): void {
    const { length } = values
    if (length > maxValues)
      throw new UsageError('PLINTH_STATEMENT_VALUES', `A statement has ${length} values, but the limit is ${maxValues}`)
    this.#begin(bind)
    this.#byte(0)
    this.#zeroEnded(name)
    this.#int2(values.length)
    for (let i = 0; i < values.length; i++) this.#int2(Buffer.isBuffer(values[i]) ? 1 : 0)
    this.#int2(values.length)
    for (let i = 0; i < values.length; i++) this.#value(values[i]!)
    this.#int2(0)
    this.#end()
  }

  /** Requests the columns of the bound statement (Describe). */
  describe(): void {
    this.#begin(describe)
    this.#byte(portal)
    this.#byte(0)
    this.#end()
  }

  /** Runs the bound statement without a limit of rows (Execute). */
  execute(): void {
    this.#begin(execute)
    this.#byte(0)
    this.#int4(0)
    this.#end()
  }

  /** Ends a run: after an error, the server skips all messages up to this one (Sync). */
  sync(): void {
    this.#begin(sync)
    this.#end()
  }

  /** Returns the messages written since the last call. */
  take(): Buffer {
    const bytes = Buffer.from(this.#buffer.subarray(0, this.#at))
    this.#at = 0
    if (this.#buffer.length > maxKept) this.#buffer = Buffer.allocUnsafeSlow(initialSize)
    return bytes
  }

  #begin(type: number): void {
    this.#byte(type)
    this.#start = this.#at
    this.#int4(0)
  }

  #end(): void {
    const end = this.#at
    this.#at = this.#start
    this.#int4(end - this.#start)
    this.#at = end
  }

  #value(value: Bound): void {
    if (value === null) {
      this.#int4(-1)
      return
    }
    const start = this.#at
    this.#int4(0)
    if (Buffer.isBuffer(value)) {
      this.#reserve(value.length)
      this.#at += value.copy(this.#buffer, this.#at)
    } else this.#text(textOf(value))
    const end = this.#at
    this.#at = start
    this.#int4(end - start - 4)
    this.#at = end
  }

  #zeroEnded(text: string): void {
    this.#text(text)
    this.#byte(0)
  }

  #text(text: string): void {
    const { length } = text
    this.#reserve(length * maxUnit)
    const buffer = this.#buffer
    const start = this.#at
    if (length <= shortText) {
      let i = 0
      for (; i < length; i++) {
        const code = text.charCodeAt(i)
        if (code > 0x7f) break
        buffer[start + i] = code
      }
      if (i === length) {
        this.#at = start + length
        return
      }
    }
    this.#at = start + buffer.write(text, start)
  }

  #byte(value: number): void {
    this.#reserve(1)
    this.#buffer[this.#at++] = value
  }

  #int2(value: number): void {
    this.#reserve(2)
    this.#buffer[this.#at++] = value >>> 8
    this.#buffer[this.#at++] = value
  }

  #int4(value: number): void {
    this.#reserve(4)
    const buffer = this.#buffer
    buffer[this.#at++] = value >>> 24
    buffer[this.#at++] = value >>> 16
    buffer[this.#at++] = value >>> 8
    buffer[this.#at++] = value
  }

  /** Makes room for this number of further bytes. */
  #reserve(bytes: number): void {
    const needed = this.#at + bytes
    if (needed <= this.#buffer.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#buffer.length))
    this.#buffer.copy(larger, 0, 0, this.#at)
    this.#buffer = larger
  }
}

function textOf(value: Exclude<Bound, Buffer | null>): string {
  if (typeof value === 'string') return value
  return Array.isArray(value) ? `{${value.map(elementOf).join(',')}}` : String(value)
}

function elementOf(value: unknown): string {
  if (value === null) return 'NULL'
  return typeof value === 'string' ? `"${value.replace(/["\\]/g, '\\$&')}"` : String(value)
}
