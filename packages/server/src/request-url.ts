// Reads the parts of a request's URL that transports and routes of plugins share: the id in the path, and the text of the
// query string. Does not know what an id belongs to, nor how a query string is parsed.

import { parseId, ValidationError } from '@plinth/kernel'
import type { FastifyRequest } from 'fastify'

/**
 * Returns the id in the path of a request; null if no entry can have it, so that the answer is a 404. `name` is the name of
 * the parameter in the route, `id` by default. Throws ValidationError for a NUL (security.md row 41).
 */
export function idOf({ params }: Pick<FastifyRequest, 'params'>, name = 'id'): number | null {
  const text = (params as Readonly<Record<string, string>>)[name] ?? ''
  if (text.includes('\0')) throw new ValidationError(`Invalid ${name}: it contains a NUL character`, { path: name })
  return parseId(text)
}

/** Returns the query string of a request without its "?", as it was sent; empty if the URL has none. */
export function queryStringOf({ raw }: Pick<FastifyRequest, 'raw'>): string {
  const url = raw.url ?? ''
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start + 1)
}
