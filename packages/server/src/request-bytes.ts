// Reads the body of a request one chunk at a time, so that no more is read than was asked for. It does not know what the
// bytes mean.

import type { IncomingMessage } from 'node:http'
import { PlinthError, ValidationError } from '@plinth/kernel'
import { beginUpload, endUpload, longestWait, patience } from './slow-bodies.ts'

/** The bytes of a request's body. */
export class RequestBytes {
  readonly #request: IncomingMessage
  readonly #signal: AbortSignal | undefined
  readonly #listeners: readonly (readonly [event: string, listener: () => void])[]
  #failure: Error | null = null
  #hasEnded = false
  #isClosed = false
  #wake: (() => void) | null = null
  readonly #longest: number
  #received = 0
  /** Milliseconds in which the reader waited for the client. */
  #waited = 0
  #onFailure: (error: Error) => void = () => undefined

  constructor(request: IncomingMessage, signal?: AbortSignal, longest = longestWait) {
    this.#request = request
    this.#signal = signal
    this.#longest = longest
    beginUpload(request)
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

  /**
   * The next chunk; null at the end of the body. Throws ValidationError if the client has gone, and PlinthError with 408
   * if it sends too slowly. One call at a time.
   */
  async next(): Promise<Buffer | null> {
    for (;;) {
      if (this.#failure !== null) throw this.#failure
      const chunk = this.#request.read() as Buffer | null
      if (chunk !== null) {
        this.#received += chunk.length
        return chunk
      }
      if (this.#hasEnded || this.#request.readableEnded || this.#isClosed) return null
      await this.#wait()
    }
  }

  /** Waits until there is something to do. The time in which the reader itself is busy does not count. */
  async #wait(): Promise<void> {
    const began = performance.now()
    const left = patience(this.#received, this.#waited, this.#longest)
    const timer = setTimeout(() => this.fail(tooSlow()), Math.max(0, left))
    await new Promise<void>(resolve => {
      this.#wake = resolve
    })
    clearTimeout(timer)
    this.#wake = null
    this.#waited += performance.now() - began
  }

  /** Ends the reading. The rest of the body is discarded, so that the client can read the answer. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#signal?.removeEventListener('abort', this.#abort)
    for (const [event, listener] of this.#listeners) this.#request.off(event, listener)
    this.#wake?.()
    endUpload(this.#request)
    if (this.#request.destroyed || this.#request.readableEnded) return
    // An error of the connection has no reader any more, but without a listener it would end the process.
    this.#request.on('error', () => undefined)
    // Node notices in the next tick that `readable` has no listener; before, resume() has no effect.
    process.nextTick(() => process.nextTick(() => this.#request.resume()))
  }

  readonly #abort = (): void => {
    const { reason } = this.#signal as { readonly reason: unknown }
    this.fail(reason instanceof Error ? reason : new ValidationError('The reading of the body was aborted'))
  }
}

function tooSlow(): PlinthError {
  return new PlinthError(408, 'RequestTimeoutError', 'Request Timeout', null)
}
