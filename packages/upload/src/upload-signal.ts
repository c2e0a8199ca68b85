// Makes a signal for an upload, which aborts when the client disconnects or when the upload takes too long.

import type { IncomingMessage } from 'node:http'
import { PlinthError } from '@plinth/kernel'

/** The part of a request that tells whether its client is connected. */
export type RequestWithSocket = Pick<IncomingMessage, 'socket'>

/** Aborts when the client disconnects or the time limit passes. Must be ended. */
export class UploadSignal {
  readonly #controller = new AbortController()
  readonly #socket: IncomingMessage['socket'] | null
  readonly #timer: NodeJS.Timeout
  readonly #disconnect = () =>
    this.#controller.abort(new PlinthError(400, 'BadRequestError', 'The client closed the connection'))

  /** `request` is null for code that has no request. `timeLimit` is in milliseconds. */
  constructor(request: RequestWithSocket | null, timeLimit: number) {
    this.#socket = request?.socket ?? null
    const expire = () =>
      this.#controller.abort(new PlinthError(408, 'RequestTimeoutError', 'The upload takes too long'))
    this.#timer = setTimeout(expire, timeLimit)
    this.#socket?.once('close', this.#disconnect)
    if (this.#socket?.destroyed === true) this.#disconnect()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#socket?.off('close', this.#disconnect)
  }
}

/** Runs `work` with the signal of a request. `timeLimit` is in milliseconds. */
export async function withUploadSignal<T>(
  request: RequestWithSocket,
  timeLimit: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const upload = new UploadSignal(request, timeLimit)
  try {
    return await work(upload.signal)
  } finally {
    upload.end()
  }
}
