// Makes a signal for an upload, which aborts when the client has gone, or when the upload takes too
// long.

import type { IncomingMessage } from 'node:http'
import { PlinthError } from '@plinth/kernel'

/** The part of a request that says whether its client is there. */
export type WaitingRequest = Pick<IncomingMessage, 'socket'>

/** The wait for one upload. It must be ended. */
export class Waiting {
  readonly #controller = new AbortController()
  readonly #socket: IncomingMessage['socket'] | null
  readonly #timer: NodeJS.Timeout
  readonly #leave = () =>
    this.#controller.abort(new PlinthError(400, 'BadRequestError', 'The client closed the connection'))

  /** `timeLimit` is in milliseconds. Code that has no request waits, too. */
  constructor(request: WaitingRequest | null, timeLimit: number) {
    this.#socket = request?.socket ?? null
    const expire = () =>
      this.#controller.abort(new PlinthError(408, 'RequestTimeoutError', 'The upload takes too long'))
    this.#timer = setTimeout(expire, timeLimit)
    this.#socket?.once('close', this.#leave)
    if (this.#socket?.destroyed === true) this.#leave()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#socket?.off('close', this.#leave)
  }
}

/** Runs `work` with the signal of a request. `timeLimit` is in milliseconds. */
export async function whileWaiting<T>(
  request: WaitingRequest,
  timeLimit: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const waiting = new Waiting(request, timeLimit)
  try {
    return await work(waiting.signal)
  } finally {
    waiting.end()
  }
}
