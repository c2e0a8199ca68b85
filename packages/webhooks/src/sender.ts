// Sends one request and returns its result. It follows no redirect, connects to no address that is not allowed, and
// reads no answer beyond 64 KiB or the time limit. Knows no queue.

import http from 'node:http'
import https from 'node:https'
import type { Addresses } from './addresses.ts'

/** The maximum number of bytes of an answer that are read. */
export const maxAnswerBytes = 65_536

/** A request, with the whole of its headers. */
export interface Outgoing {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The result of a request. */
export interface Outcome {
  /** The status of the answer; null if there was none. */
  readonly status: number | null
  /** The reason of a failure, without the URL, which may be secret; null if the event was delivered. */
  readonly fault: string | null
  /** The beginning of the answer. */
  readonly answer: string
  /** Seconds after which the receiver wants it again; null if it does not say. */
  readonly retryAfter: number | null
  /** True if it was ended because the process closes, so that it does not count as a failed attempt. */
  readonly isAborted: boolean
}

const nothing: Outcome = { status: null, fault: null, answer: '', retryAfter: null, isAborted: false }

export class Sender {
  readonly #addresses: Addresses
  readonly #timeout: number
  readonly #closing = new AbortController()
  readonly #agents = { http: new http.Agent({ keepAlive: true }), https: new https.Agent({ keepAlive: true }) }

  /** `timeout`: milliseconds for the connection, the request and the answer together. */
  constructor(addresses: Addresses, timeout: number) {
    this.#addresses = addresses
    this.#timeout = timeout
  }

  /** Ends all requests. */
  close(): void {
    this.#closing.abort()
    this.#agents.http.destroy()
    this.#agents.https.destroy()
  }

  /** Never rejects. */
  async send(outgoing: Outgoing): Promise<Outcome> {
    const timeout = AbortSignal.timeout(this.#timeout)
    try {
      const url = new URL(outgoing.url)
      this.#addresses.checkHost(url.hostname)
      const signal = AbortSignal.any([timeout, this.#closing.signal])
      return outcomeOf(await this.#request(url, outgoing, signal))
    } catch (error) {
      if (this.#closing.signal.aborted) return { ...nothing, isAborted: true }
      const late = `no answer within ${this.#timeout / 1000} s`
      return { ...nothing, fault: timeout.aborted ? late : textOf(error as NodeJS.ErrnoException) }
    }
  }

  /** A connection that is kept may have been closed by the receiver just now: then there is another try at once. */
  async #request(url: URL, outgoing: Outgoing, signal: AbortSignal): Promise<Received> {
    for (;;) {
      try {
        return await this.#attempt(url, outgoing, signal)
      } catch (error) {
        if (!(error as { isReused?: boolean }).isReused || signal.aborted) throw error
      }
    }
  }

  #attempt(url: URL, { headers, body }: Outgoing, signal: AbortSignal): Promise<Received> {
    const isSecure = url.protocol === 'https:'
    const agent = isSecure ? this.#agents.https : this.#agents.http
    const { lookup } = this.#addresses
    const { promise, resolve, reject } = Promise.withResolvers<Received>()
    let end: (() => void) | null = null
    const options = { method: 'POST', agent, lookup, signal, headers: { ...headers, ...lengthOf(body) } }
    const request = (isSecure ? https : http).request(url, options, response => {
      const chunks: Buffer[] = []
      let size = 0
      // The bytes received until then are the answer, even if the response ends early.
      const finish = () => resolve({ status: response.statusCode!, headers: response.headers, text: textIn(chunks) })
      end = finish
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        size += chunk.length
        if (size >= maxAnswerBytes) response.destroy()
      })
      response.on('end', finish)
      response.on('close', finish)
      response.on('error', finish)
    })
    request.on('error', error => {
      if (end === null) reject(Object.assign(error, { isReused: isStaleSocket(request, error) }))
      else end()
    })
    request.end(body)
    return promise
  }
}

/** An answer, or what has come of one. */
interface Received {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly text: string
}

const lengthOf = (body: string) => ({ 'content-length': String(Buffer.byteLength(body)) })

const textIn = (chunks: readonly Buffer[]) => Buffer.concat(chunks).subarray(0, maxAnswerBytes).toString()

function isStaleSocket(request: http.ClientRequest, { code }: NodeJS.ErrnoException): boolean {
  return request.reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE')
}

function outcomeOf({ status, headers, text }: Received): Outcome {
  const isDelivered = status >= 200 && status < 300
  const redirect = status >= 300 && status < 400 ? ', a redirect, which is not followed' : ''
  const seconds = Number(headers['retry-after'])
  return {
    status,
    fault: isDelivered ? null : `answered with ${status}${redirect}`,
    answer: text,
    retryAfter: Number.isFinite(seconds) && seconds > 0 ? seconds : null,
    isAborted: false,
  }
}

/** Errors of Node name the host and the address, but not the path, where the secret of a build hook is. */
function textOf(error: NodeJS.ErrnoException): string {
  if (error instanceof AggregateError && error.message === '') return (error.errors[0] as Error).message
  return error.message || (error.code ?? 'failed')
}
