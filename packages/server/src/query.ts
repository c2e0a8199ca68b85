// Parses query strings of requests: `request.query` has nested parameters. Routes that read the raw text declare it,
// and for them nothing is parsed until `request.query` is accessed. Nothing is cached between requests, since clients
// choose the texts.

import type { FastifyRequest } from 'fastify'
import qs from '#qs'

type Query = Record<string, unknown>

/** Options of qs, whose own types are not installed with this package. */
export interface NestedOptions {
  readonly strictNullHandling: boolean
  readonly arrayLimit: number
  readonly depth: number
  readonly parameterLimit: number
}

/** Parses a text of name=value pairs with names in brackets, as qs does. Transports choose the limits. */
export const parseNested: (text: string, options: NestedOptions) => Query = qs.parse

/** The nested parameters of a query string (without "?"). Never throws. */
export function parseQuery(text: string): Query {
  return text === ''
    ? {}
    : parseNested(text, { strictNullHandling: true, arrayLimit: 100, depth: 20, parameterLimit: 1000 })
}

/** A parser for Fastify that returns the text unchanged; `setQuery` parses it. */
export function keepText(text: string): Query {
  return text as never
}

/**
 * onRequest hook for a server whose parser is `keepText`. It must be the first, so that all other hooks find
 * parameters.
 */
export function setQuery(request: FastifyRequest, _reply: unknown, done: () => void): void {
  const text = request.query
  if (text === '') request.query = {}
  else if (typeof text === 'string')
    request.query =
      request.routeOptions.config.parsesQuery === true ? new Proxy({}, new UnparsedQuery(text)) : parseQuery(text)
  done()
}

/** Handler of a proxy that parses the text into its target at the first access. */
class UnparsedQuery implements ProxyHandler<Query> {
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
