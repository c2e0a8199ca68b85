// The names of the headers that requests of other origins may have, and of those that their scripts may read: the usual
// ones, and those that plugins add. Does not know which plugins there are.

import { RegistrationError } from '@plinth/kernel'

/** Headers that v4 allows, conditions of requests, and headers of clients of GraphQL and of tracing, with any plugins. */
const usuallyAllowed = [
  ...['Content-Type', 'Authorization', 'Origin', 'Accept', 'Strapi-Response-Format'],
  ...['If-Match', 'If-None-Match', 'X-Requested-With'],
  ...['traceparent', 'tracestate', 'baggage', 'sentry-trace'],
  // Browsers know no patterns such as "apollographql-client-*".
  ...['apollographql-client-name', 'apollographql-client-version'],
]

/** The header of answers of a server that is busy. */
const usuallyExposed = ['Retry-After']

/** Names of headers for CORS. */
export interface CorsHeaderNames {
  /** Headers that requests have. */
  readonly allow?: readonly string[]
  /** Headers of answers. */
  readonly expose?: readonly string[]
}

/** A list of names of headers, which has each once, whatever its case. */
class NameList {
  readonly #names: Map<string, string>
  /** The names as a header has them. */
  text = ''

  constructor(names: readonly string[]) {
    this.#names = new Map()
    this.add(names)
  }

  add(names: readonly string[]): void {
    for (const name of names) if (!this.#names.has(name.toLowerCase())) this.#names.set(name.toLowerCase(), name)
    this.text = [...this.#names.values()].join(', ')
  }
}

/** The names of a server. */
export class HeaderNames {
  readonly allowed = new NameList(usuallyAllowed)
  readonly exposed = new NameList(usuallyExposed)

  /** Throws RegistrationError for a text that is not a name of a header. */
  add({ allow = [], expose = [] }: CorsHeaderNames): void {
    for (const name of [...allow, ...expose]) check(name)
    this.allowed.add(allow)
    this.exposed.add(expose)
  }
}

/** Returns whether a text is the name of a header. Browsers know no patterns. */
export const isHeaderName = (name: string): boolean => /^[\w!#$%&'+.^`|~-]+$/.test(name)

function check(name: string): void {
  if (isHeaderName(name)) return
  const advice = name.includes('*') ? ': browsers know no patterns, so name each header' : ''
  throw new RegistrationError(
    'PLINTH_DEFINITION_INVALID',
    `addCorsHeaders: ${JSON.stringify(name)} is not the name of a header${advice}`,
  )
}
