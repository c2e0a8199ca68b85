// Writes headers that are the same in every answer as one text. Node checks and writes each header of each answer, which
// takes a tenth of the time of a small read. Does not know which headers there are.

import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

// As an ES module, node:http evaluates all its exports, including WebSocket and fetch.
const http = process.getBuiltinModule('node:http')

/** Headers by their names in lower case. */
type Headers = Readonly<Record<string, unknown>>

/** The method of Node that writes the head of an answer. It is not public, so `isSupported` tests it at the start. */
interface WithHead {
  _header: string
  _storeHeader(firstLine: string, headers: Headers | readonly unknown[] | null | undefined): void
}

const PlainResponse = http.ServerResponse as unknown as new (
  request: InstanceType<typeof http.IncomingMessage>,
) => ServerResponse & WithHead

/** The names of headers that Node interprets. */
const interpreted = /^(connection|content-length|transfer-encoding|date|expect|trailer|keep-alive|upgrade)$/

/** Returns whether Node writes a header as it is: a name in lower case with a text of printable ASCII. */
function isPlain(name: string, value: string): boolean {
  return /^[a-z0-9-]+$/.test(name) && !interpreted.test(name) && /^[\x20-\x7e]*$/.test(value)
}

/** The constant headers of a server. */
export class ConstantHeaders {
  /** Headers of the server itself, which are set before those of plugins. */
  #first: Readonly<Record<string, string>> = {}
  #others: Readonly<Record<string, string>> = {}
  #names: readonly string[] = []
  #values: readonly string[] = []
  #text = ''

  /** The headers as they are sent; empty if none are declared. */
  get text(): string {
    return this.#text
  }

  /**
   * Declares the headers with which most answers begin, in their order. Headers that Node interprets, encodes or refuses
   * are left to it, and so are all if one of them is such.
   */
  declare(headers: Readonly<Record<string, string>>): void {
    this.#others = headers
    this.#compile()
  }

  /** Declares the headers before those. */
  declareFirst(headers: Readonly<Record<string, string>>): void {
    this.#first = headers
    this.#compile()
  }

  #compile(): void {
    const all = Object.entries({ ...this.#first, ...this.#others })
    const entries = all.every(([name, value]) => isPlain(name, value)) ? all : []
    this.#names = entries.map(([name]) => name)
    this.#values = entries.map(([, value]) => value)
    this.#text = entries.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  }

  /**
   * Returns the headers after the constant ones. Null if the headers of an answer do not begin with exactly these: a route
   * or a plugin has changed or removed one, or has put others before them.
   */
  after(headers: Headers): Headers | null {
    const names = this.#names
    const rest: Record<string, unknown> = {}
    let at = 0
    for (const name in headers) {
      const value = headers[name]
      if (at === names.length) rest[name] = value
      else if (name === names[at] && value === this.#values[at]) at++
      else return null
    }
    return at === names.length ? rest : null
  }
}

/** Returns the class of the responses of a server. */
export function responseWith(constant: ConstantHeaders): typeof ServerResponse {
  class Response extends PlainResponse {
    override _storeHeader(firstLine: string, headers: Headers | readonly unknown[] | null | undefined): void {
      const isObject =
        constant.text !== '' && typeof headers === 'object' && headers !== null && !Array.isArray(headers)
      const rest = isObject ? constant.after(headers as Headers) : null
      if (rest === null) super._storeHeader(firstLine, headers)
      else super._storeHeader(firstLine + constant.text, rest)
    }
  }
  return Response as unknown as typeof ServerResponse
}

const tested = { 'x-a': '1', 'x-b': 'two words', 'content-type': 'text/plain', 'content-length': '3' }

function headOf(Response: typeof PlainResponse, headers: Headers): string {
  const request = new http.IncomingMessage(null as never)
  request.method = 'GET'
  request.httpVersionMajor = 1
  request.httpVersionMinor = 1
  const response = new Response(request)
  response.sendDate = false
  response.writeHead(200, headers as Record<string, string>)
  return response._header
}

/** The outcome of the comparison in this process; null before the first server. */
let hasSameHeads: boolean | null = null

/** Returns whether this release of Node writes the same head with constant headers as without. */
export function isSupported(): boolean {
  hasSameHeads ??= writesTheSame()
  return hasSameHeads
}

/** Writes heads both ways and compares them. */
export function writesTheSame(): boolean {
  try {
    const constant = new ConstantHeaders()
    constant.declare({ 'x-a': '1', 'x-b': 'two words' })
    const Response = responseWith(constant) as unknown as typeof PlainResponse
    return [tested, { ...tested, 'x-a': '2' }].every(
      headers => headOf(Response, headers) === headOf(PlainResponse, headers),
    )
  } catch {
    return false
  }
}

/** The property of a server, and of its scopes, that holds its constant headers. */
const headersKey = Symbol('plinth.constant-headers')

/** Lets the plugins of a server declare its constant headers. */
export function keepConstantHeaders(app: FastifyInstance, constant: ConstantHeaders): void {
  app.decorate(headersKey, constant)
}

/** Declares the headers that the server itself sets, before those of plugins. */
export function declareFirstHeaders(app: FastifyInstance, headers: Readonly<Record<string, string>>): void {
  const { [headersKey]: constant } = app as unknown as { readonly [headersKey]?: ConstantHeaders }
  constant?.declareFirst(headers)
}

/**
 * Declares the headers with which most answers of a server begin after those of CORS, in their order. They must still be set for each answer:
 * only how they are written changes. Does nothing on a server that was not made by `createServer`.
 */
export function declareConstantHeaders(app: FastifyInstance, headers: Readonly<Record<string, string>>): void {
  const { [headersKey]: constant } = app as unknown as { readonly [headersKey]?: ConstantHeaders }
  constant?.declare(headers)
}
