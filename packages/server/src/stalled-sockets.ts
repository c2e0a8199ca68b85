// Closes connections on which something is to be sent and nothing has moved for long, as with a client that reads nothing of
// its answer: what they hold is needed for others. Knows sockets and neither HTTP nor WebSocket.

import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Milliseconds between two looks at all sockets, and looks without movement until a socket is closed: 30 s. */
const interval = 5000
const mostLooks = 6

/** A socket with its progress at the last look. */
interface Progress {
  /** The bytes that the operating system has taken. */
  moved: number
  /** Looks since they were others, while something was to be sent. */
  looks: number
}

/** The members of a connection that Node does not publish. */
interface Handle {
  readonly bytesWritten?: number
  /** Bytes that the operating system has not taken. */
  readonly writeQueueSize?: number
}

/** Looks at the sockets of a server. Time is counted in looks, so that a pause of the process closes nothing. */
export class StalledSockets {
  readonly #sockets = new Map<Socket, Progress>()
  readonly #onStalled: () => void
  #timer: NodeJS.Timeout | null = null

  /** `onStalled` is called for each socket that is closed. */
  constructor(server: Server, onStalled: () => void) {
    this.#onStalled = onStalled
    // The sockets of TLS have a queue of their own.
    server.on('setSecureContext' in server ? 'secureConnection' : 'connection', (socket: Socket) => this.#add(socket))
  }

  #add(socket: Socket): void {
    this.#sockets.set(socket, { moved: 0, looks: 0 })
    socket.once('close', () => this.#sockets.delete(socket))
    this.#timer ??= setInterval(() => this.look(), interval).unref()
  }

  /** Looks at all sockets, and closes those whose answer has not moved in the last looks. */
  look(): void {
    if (this.#sockets.size === 0) this.stop()
    for (const [socket, progress] of this.#sockets) {
      const { bytesWritten = 0, writeQueueSize = 0 } = (socket as { _handle?: Handle | null })._handle ?? {}
      const moved = bytesWritten - writeQueueSize
      const isWaiting = writeQueueSize > 0 || socket.writableLength > 0
      progress.looks = isWaiting && moved === progress.moved ? progress.looks + 1 : 0
      progress.moved = moved
      if (progress.looks < mostLooks) continue
      this.#onStalled()
      socket.destroy()
    }
  }

  /** Stops looking until the next connection. */
  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
  }
}
