/**
 * Messages of PostgreSQL's protocol: cuts a stream of bytes into messages, and builds those that a pooler says itself.
 */

/** A message: its type, and its bytes as they are sent. The first message of a client has no type. */
export interface Message {
  readonly type: string
  readonly bytes: Buffer
}

/** Collects bytes, and returns the messages that are complete. */
export class Messages {
  #rest: Buffer = Buffer.alloc(0)
  /** True if messages have a type, as all but the first ones of a client have. */
  isTyped: boolean

  constructor(isTyped: boolean) {
    this.isTyped = isTyped
  }

  *take(chunk: Buffer): Generator<Message> {
    this.#rest = Buffer.concat([this.#rest, chunk])
    for (;;) {
      const start = this.isTyped ? 1 : 0
      if (this.#rest.length < start + 4) return
      const end = start + this.#rest.readInt32BE(start)
      if (this.#rest.length < end) return
      const bytes = this.#rest.subarray(0, end)
      this.#rest = this.#rest.subarray(end)
      yield { type: this.isTyped ? String.fromCharCode(bytes[0]!) : '', bytes }
    }
  }
}

/** A message of a type with these parts; texts end in a NUL. */
export function message(type: string, ...parts: readonly (Buffer | string | number)[]): Buffer {
  const body = Buffer.concat(parts.map(toBytes))
  const head = Buffer.alloc(5)
  head.write(type, 0, 'latin1')
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

function toBytes(part: Buffer | string | number): Buffer {
  if (typeof part === 'string') return Buffer.from(`${part}\0`)
  if (typeof part !== 'number') return part
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(part)
  return bytes
}

/** An error that the pooler makes, as PgBouncer does: of the protocol, and the end of the connection. */
export function fatal(text: string): Buffer {
  return message('E', Buffer.from(`SFATAL\0C08P01\0M${text}\0\0`))
}

/** The text at an offset, and where what follows it begins. */
export function textAt(bytes: Buffer, offset: number): readonly [text: string, next: number] {
  const end = bytes.indexOf(0, offset)
  return [bytes.toString('utf8', offset, end), end + 1]
}
