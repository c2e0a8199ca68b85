// Sends messages to the connections of one endpoint, and counts those that wait for clients that read slowly. A text that
// goes to many connections is one buffer. Knows WebSocket frames, and neither subscriptions nor changes.

import type { Duplex } from 'node:stream'
import type { Share } from '@plinth/server/transport'

/** Maximum number of bytes that wait for one client. */
const maxBytesOfOne = 16 * 1024 * 1024

/** Bytes of memory that a message takes for each connection beside its text. */
const sizeOfEntry = 512

/** Texts with fewer bytes are copied into each message: that costs less than writes of their own. */
const smallText = 8192

/** Milliseconds for which a client must have been waited for, to be ended when the process has no room for a message. */
const slowAfter = 1000

export interface OutgoingSettings {
  /** Bytes that may wait over all connections; a text counts once, however many it goes to. */
  readonly maxBytes: number
  /** Milliseconds after which a connection is ended of whose messages nothing has moved. */
  readonly timeout: number
  /** The share in which the bytes are counted among those of the process. */
  readonly share: Pick<Share, 'add' | 'remove' | 'refuse'>
}

/** A text on its way to one or more connections. */
export class SharedText {
  readonly text: string
  readonly bytes: Buffer
  /** The messages with this text that wait. */
  holders = 0

  constructor(text: string) {
    this.bytes = Buffer.from(text)
    // The text of a large one would be in memory twice.
    this.text = this.bytes.length < smallText ? text : ''
  }
}

/** The messages of all connections that wait. */
export class Outgoing {
  readonly #settings: OutgoingSettings
  readonly #waiting = new Set<SendQueue>()
  readonly #timer: NodeJS.Timeout
  #bytes = 0

  constructor(settings: OutgoingSettings) {
    this.#settings = settings
    this.#timer = setInterval(() => this.#endStalled(), Math.min(5000, settings.timeout / 4))
    this.#timer.unref()
  }

  /** The bytes that wait. */
  get bytes(): number {
    return this.#bytes
  }

  /** Opens the queue of a connection. `end` is called if its client reads too slowly; it destroys the stream. */
  open(stream: Duplex, end: () => void): SendQueue {
    return new SendQueue(this, stream, end)
  }

  /** Counts bytes that begin to wait in a queue. @internal */
  add(queue: SendQueue, bytes: number): void {
    this.#waiting.add(queue)
    this.#bytes += bytes
    const { share, maxBytes } = this.#settings
    const fits = share.add('messages', bytes)
    if (queue.bytes > maxBytesOfOne) queue.end()
    while (this.#bytes > maxBytes && this.#endSlowest(0)) share.refuse('messages')
    if (fits) return
    // Clients that have just been sent something are not slow, and what they hold is there for a moment.
    const enough = this.#bytes - bytes
    while (this.#bytes > enough && this.#endSlowest(slowAfter)) share.refuse('messages')
  }

  /** Returns bytes that were sent, or that nobody will receive. @internal */
  remove(queue: SendQueue, bytes: number): void {
    if (queue.bytes === 0) this.#waiting.delete(queue)
    this.#bytes -= bytes
    this.#settings.share.remove('messages', bytes)
  }

  /** Ends the connection for which most bytes wait, if one waits for so long. */
  #endSlowest(since: number): boolean {
    let slowest: SendQueue | null = null
    const latest = performance.now() - since
    for (const one of this.#waiting)
      if (one.since <= latest && (slowest === null || one.bytes > slowest.bytes)) slowest = one
    slowest?.end()
    return slowest !== null
  }

  #endStalled(): void {
    const earliest = performance.now() - this.#settings.timeout
    for (const one of this.#waiting) if (one.movedAt() <= earliest) one.end()
  }

  close(): void {
    clearInterval(this.#timer)
  }
}

/** The messages of one connection that wait. */
export class SendQueue {
  readonly #all: Outgoing
  readonly #stream: Duplex
  readonly #end: () => void
  readonly #entries = new Set<Entry>()
  /** Bytes that wait, those of shared texts included. */
  bytes = 0
  /** When the queue was empty last, in milliseconds of the process. */
  since = 0
  #movedAt = 0
  #left = 0

  constructor(all: Outgoing, stream: Duplex, end: () => void) {
    this.#all = all
    this.#stream = stream
    this.#end = end
    stream.once('close', () => this.#drop())
  }

  /** Sends a message: a text, which may have a shared part between its beginning and its end. */
  send(begin: string, shared: SharedText | null = null, end = ''): void {
    const isCopied = shared === null || shared.bytes.length < smallText
    const own = Buffer.from(isCopied && shared !== null ? `${begin}${shared.text}${end}` : begin)
    const last = isCopied ? null : Buffer.from(end)
    const large = isCopied ? null : shared
    const entry: Entry = { shared: large, own: own.length + (last?.length ?? 0) + sizeOfEntry }
    this.#hold(entry)
    if (!this.#entries.has(entry)) return
    const sent = () => this.#release(entry)
    const length = entry.own - sizeOfEntry + (large?.bytes.length ?? 0)
    // One frame in several writes, so that a large text is not copied.
    this.#stream.cork()
    this.#stream.write(textHeader(length))
    this.#stream.write(own, large === null ? sent : undefined)
    if (large !== null) {
      this.#stream.write(large.bytes)
      this.#stream.write(last, sent)
    }
    this.#stream.uncork()
  }

  /** When a part of the waiting bytes was taken last. */
  movedAt(): number {
    const left = bytesInFlight(this.#stream)
    if (left !== this.#left) {
      this.#left = left
      this.#movedAt = performance.now()
    }
    return this.#movedAt
  }

  /** Ends the connection, whose client reads too slowly. */
  end(): void {
    this.#drop()
    this.#end()
  }

  #hold(entry: Entry): void {
    if (this.#entries.size === 0) {
      this.since = performance.now()
      this.#movedAt = this.since
    }
    this.#entries.add(entry)
    const { shared, own } = entry
    const isFirst = shared !== null && shared.holders++ === 0
    this.bytes += own + (shared?.bytes.length ?? 0)
    this.#all.add(this, own + (isFirst ? shared.bytes.length : 0))
  }

  #release(entry: Entry): void {
    if (!this.#entries.delete(entry)) return
    this.#movedAt = performance.now()
    const { shared, own } = entry
    const isLast = shared !== null && --shared.holders === 0
    this.bytes -= own + (shared?.bytes.length ?? 0)
    this.#all.remove(this, own + (isLast ? shared.bytes.length : 0))
  }

  #drop(): void {
    for (const one of [...this.#entries]) this.#release(one)
  }
}

/** A message that waits: its shared text, and the bytes that it takes alone. */
interface Entry {
  readonly shared: SharedText | null
  readonly own: number
}

/** The header of a frame that is a whole text message of a server (RFC 6455, section 5.2). */
function textHeader(length: number): Buffer {
  if (length < 126) return Buffer.from([0x81, length])
  const header = Buffer.alloc(length < 65_536 ? 4 : 10)
  header[0] = 0x81
  header[1] = length < 65_536 ? 126 : 127
  if (length < 65_536) header.writeUInt16BE(length, 2)
  else header.writeBigUInt64BE(BigInt(length), 2)
  return header
}

/**
 * The bytes of the write that is under way which the system has not taken yet: a large message that is read slowly moves
 * long before it is sent. Node has this number only on the handle of the socket.
 */
function bytesInFlight(stream: Duplex): number {
  return (stream as { readonly _handle?: { readonly writeQueueSize?: number } | null })._handle?.writeQueueSize ?? 0
}
