// Splits the routes of a server into routes with one method each. It does not know what is said of them.

import type { DescribeOperation } from '@plinth/server/transport'
import type { RouteOptions } from 'fastify'
import type { RouteSchema } from './fastify-schema.ts'

/** One route with one method. */
export interface DocumentedRoute {
  readonly method: string
  /** As Fastify writes paths, with the prefix of its scope: `/api/articles/:id`. */
  readonly url: string
  /** The action of the route; null if it names none. */
  readonly action: string | null
  /** Null if nobody describes it. */
  readonly describe: DescribeOperation | null
  /** The schemas of Fastify; null if it has none. */
  readonly schema: RouteSchema | null
}

/** The methods of operations. HEAD answers as GET does, and OPTIONS is for browsers. */
const methods: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** A route with each of its methods; none if it only refuses requests. */
export function documentedRoutes({ method, url, config, schema }: RouteOptions): DocumentedRoute[] {
  const { action = null, operation = null } = config ?? {}
  const isHidden = operation === false || (schema as { readonly hide?: unknown } | undefined)?.hide === true
  if (isHidden) return []
  const routeMethods = [method].flat()
  const route = {
    url: url === '' ? '/' : url,
    action,
    describe: operation,
    schema: (schema ?? null) as RouteSchema | null,
  }
  return methods.filter(one => routeMethods.includes(one)).map(one => ({ ...route, method: one }))
}
