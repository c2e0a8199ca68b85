// Query strings of requests: nested parameters in `request.query` for routes that read it. Routes that read the raw text
// themselves say so, and nothing is parsed for them unless somebody asks. Nothing is kept from one request to the next: callers
// choose the texts.

import type { FastifyRequest } from 'fastify'
import qs from 'qs'

type Query = Record<string, unknown>

/** The nested parameters of a query string (without "?"). Never throws. */
export function parseQuery(text: string): Query {
  return text === ''
    ? {}
    : qs.parse(text, { strictNullHandling: true, arrayLimit: 100, depth: 20, parameterLimit: 1000 })
}

/** Leaves the text as it is for `setQuery`. */
export function keepText(text: string): Query {
  return text as never
}

/** onRequest hook for a server whose parser is `keepText`; the first one, so that all others find parameters. */
export function setQuery(request: FastifyRequest, _reply: unknown, done: () => void): void {
  const text = request.query
  if (text === '') request.query = {}
  else if (typeof text === 'string')
    request.query =
      request.routeOptions.config.parsesQuery === true ? new Proxy({}, new Unparsed(text)) : parseQuery(text)
  done()
}

/** Parses a text into the object it stands before when something looks at that. */
class Unparsed implements ProxyHandler<Query> {
  #text: string | null

  constructor(text: string) {
    this.#text = text
  }

  #filled(query: Query): Query {
    const text = this.#text
    this.#text = null
    return text === null ? query : Object.assign(query, parseQuery(text))
  }

  get(query: Query, key: string | symbol): unknown {
    return Reflect.get(this.#filled(query), key)
  }

  set(query: Query, key: string | symbol, value: unknown): boolean {
    return Reflect.set(this.#filled(query), key, value)
  }

  has(query: Query, key: string | symbol): boolean {
    return Reflect.has(this.#filled(query), key)
  }

  deleteProperty(query: Query, key: string | symbol): boolean {
    return Reflect.deleteProperty(this.#filled(query), key)
  }

  ownKeys(query: Query): (string | symbol)[] {
    return Reflect.ownKeys(this.#filled(query))
  }

  getOwnPropertyDescriptor(query: Query, key: string | symbol): PropertyDescriptor | undefined {
    return Reflect.getOwnPropertyDescriptor(this.#filled(query), key)
  }

  defineProperty(query: Query, key: string | symbol, descriptor: PropertyDescriptor): boolean {
    return Reflect.defineProperty(this.#filled(query), key, descriptor)
  }

  preventExtensions(query: Query): boolean {
    return Reflect.preventExtensions(this.#filled(query))
  }
}
