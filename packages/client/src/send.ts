// Sends requests: by fetch, and by XMLHttpRequest where the progress of an upload is asked for. Uses no global that is not
// one of the web, so that it runs in browsers, Node, Deno and workers. Knows no type.

import { type Answer, bodyOf, ClientError } from './client-error.ts'

/** Options of a client. */
export interface ClientOptions {
  /** The address of the server, such as `https://cms.example.com`; empty for the origin of the page. */
  readonly url: string
  /** The path before all routes, `/api` by default. */
  readonly prefix?: string | undefined
  /** The token of a user or a program, or a function that returns it for each request. */
  readonly token?: Token | undefined
  /** True: entries without `attributes`, relations without `data`. */
  readonly flat?: boolean
  /** Options of fetch for all requests, such as `credentials`. */
  readonly init?: RequestInit | undefined
  /** A function that sends requests, instead of the global fetch. */
  readonly fetch?: typeof fetch | undefined
}

/** A token; null and an empty text are none. */
export type Token = string | null | (() => string | null | undefined | Promise<string | null | undefined>)

/** The progress of an upload. */
export interface Progress {
  /** The bytes that were sent. */
  readonly loaded: number
  /** The bytes of the whole request. */
  readonly total: number
}

/** A request below the prefix. */
export interface Call {
  readonly method: string
  readonly path: string
  /** JSON, or a form. */
  readonly body?: unknown
  readonly init?: RequestInit | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

/** The address of the server without a slash at its end. */
export const addressOf = ({ url }: ClientOptions): string => url.replace(/\/+$/, '')

/** Sends a request, and returns the body of the answer. Throws ClientError; when it is aborted, the reason of the signal. */
export async function send(options: ClientOptions, { method, path, body, init, onProgress }: Call): Promise<unknown> {
  const { prefix = '/api', token } = options
  const place = `${method} ${path}`
  const all: RequestInit = { ...options.init, ...init }
  const headers = new Headers(options.init?.headers)
  new Headers(init?.headers).forEach((value, name) => {
    headers.set(name, value)
  })
  const key = typeof token === 'function' ? await token() : token
  if (key && !headers.has('authorization')) headers.set('authorization', `Bearer ${key}`)
  const isForm = body instanceof FormData
  if (body !== undefined && !isForm) headers.set('content-type', 'application/json')
  const sent = body === undefined ? null : isForm ? body : JSON.stringify(body)
  const url = addressOf(options) + prefix + path
  const request = { ...all, method, headers, body: sent }
  let answer: Answer
  try {
    answer = await (onProgress !== undefined && 'XMLHttpRequest' in globalThis
      ? sendByXhr(url, request, onProgress)
      : sendByFetch(url, request, options.fetch))
  } catch (cause) {
    if (all.signal?.aborted) throw cause
    throw new ClientError(`${place} has no answer`, { cause })
  }
  return bodyOf(answer, place)
}

async function sendByFetch(url: string, init: RequestInit, own: typeof fetch | undefined): Promise<Answer> {
  const response = await (own === undefined ? fetch(url, init) : own(url, init))
  const { status, headers } = response
  return { status, text: await response.text(), retryAfter: headers.get('retry-after') }
}

/** The members of XMLHttpRequest that are used. Some environments do not have it. */
interface Xhr {
  readonly upload: { onprogress: ((event: Progress) => void) | null }
  readonly status: number
  readonly responseText: string
  withCredentials: boolean
  onload: (() => void) | null
  onerror: (() => void) | null
  onabort: (() => void) | null
  open(method: string, url: string): void
  setRequestHeader(name: string, value: string): void
  getResponseHeader(name: string): string | null
  send(body: unknown): void
  abort(): void
}

function sendByXhr(
  url: string,
  { method, headers, body, signal, credentials }: RequestInit & { headers: Headers },
  onProgress: (progress: Progress) => void,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const xhr = new (globalThis as unknown as { XMLHttpRequest: new () => Xhr }).XMLHttpRequest()
    const abort = () => xhr.abort()
    const settle = (end: () => void) => () => {
      signal?.removeEventListener('abort', abort)
      end()
    }
    xhr.open(method!, url)
    xhr.withCredentials = credentials === 'include'
    headers.forEach((value, name) => {
      xhr.setRequestHeader(name, value)
    })
    xhr.upload.onprogress = ({ loaded, total }) => onProgress({ loaded, total })
    xhr.onload = settle(() =>
      resolve({ status: xhr.status, text: xhr.responseText, retryAfter: xhr.getResponseHeader('retry-after') }),
    )
    xhr.onerror = settle(() => reject())
    xhr.onabort = settle(() => reject(signal?.reason))
    signal?.addEventListener('abort', abort)
    xhr.send(body)
  })
}
