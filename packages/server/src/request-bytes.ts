// Reads the body of a request one chunk at a time, so that nothing is read that nobody has asked for. It does not know
// what the bytes mean.

import type { IncomingMessage } from 'node:http'
import { ValidationError } from '@plinth/kernel'

/** The bytes of a request's body. */
export class RequestBytes {
  readonly #request: IncomingMessage
  readonly #signal: AbortSignal | undefined
  readonly #listeners: readonly (readonly [event: string, listener: () => void])[]
  #failure: Error | null = null
  #hasEnded = false
  #isClosed = false
  #wake: (() => void) | null = null
  #onFailure: (error: Error) => void = () => undefined

  constructor(request: IncomingMessage, signal?: AbortSignal) {
    this.#request = request
    this.#signal = signal
    const wake = () => this.#wake?.()
    const end = () => {
      this.#hasEnded = true
      wake()
    }
    const lose = () => {
      if (!this.#hasEnded && !request.readableEnded) this.fail(new ValidationError('The client closed the connection'))
    }
    this.#listeners = [
      ['readable', wake],
      ['end', end],
      ['error', lose],
      ['close', lose],
    ]
    for (const [event, listener] of this.#listeners) request.on(event, listener)
    signal?.addEventListener('abort', this.#abort, { once: true })
    if (signal?.aborted) this.#abort()
    else if (request.destroyed) lose()
  }

  /** Calls `listener` at once if the body cannot be read to its end. */
  onFailure(listener: (error: Error) => void): void {
    this.#onFailure = listener
  }

  /** Ends the reading with an error: the pending read and those that follow throw it. */
  fail(error: Error): void {
    if (this.#failure !== null || this.#isClosed) return
    this.#failure = error
    this.#onFailure(error)
    this.#wake?.()
  }

  /** The next chunk; null at the end of the body. Throws ValidationError if the client has gone. One call at a time. */
  async next(): Promise<Buffer | null> {
    for (;;) {
      if (this.#failure !== null) throw this.#failure
      const chunk = this.#request.read() as Buffer | null
      if (chunk !== null) return chunk
      if (this.#hasEnded || this.#request.readableEnded || this.#isClosed) return null
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
      this.#wake = null
    }
  }

  /** Ends the reading. The rest of the body is discarded, so that the client can read the answer. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#signal?.removeEventListener('abort', this.#abort)
    for (const [event, listener] of this.#listeners) this.#request.off(event, listener)
    this.#wake?.()
    if (this.#request.destroyed || this.#request.readableEnded) return
    // An error of the connection concerns nobody any more, but without a listener it would end the process.
    this.#request.on('error', () => undefined)
    // Node notices in the next tick that nobody listens to `readable`; before, resume() has no effect.
    process.nextTick(() => process.nextTick(() => this.#request.resume()))
  }

  readonly #abort = (): void => {
    const { reason } = this.#signal as { readonly reason: unknown }
    this.fail(reason instanceof Error ? reason : new ValidationError('The reading of the body was aborted'))
  }
}
