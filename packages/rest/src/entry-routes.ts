// Defines the routes of the built-in actions of a content type: one each (B-1.1 to B-1.12), unless a plugin says otherwise by
// the service `rest.routes`. Knows no handler.

import { type ContentType, type Kernel, type Operation, UsageError } from '@plinth/kernel'

/** The methods of routes. */
export type EntryMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The route of a built-in action. */
export interface EntryRoute {
  readonly operation: Operation
  readonly method: EntryMethod
  /**
   * Below the prefix of the API, as Fastify writes paths: `/articles/:id`. Actions of one entry of a collection take its id
   * from `:id`.
   */
  readonly path: string
}

/**
 * Says which routes a type has, in place of the built-in ones; null leaves those. A plugin provides it as
 * `kernel.services.provide('rest', 'routes', routesOf)`. Actions without a route are not served by REST.
 */
export type EntryRoutes = (type: ContentType) => readonly EntryRoute[] | null

declare module '@plinth/kernel' {
  interface Services {
    'rest.routes': EntryRoutes
  }
}

/** The routes of a type. Throws UsageError for an action that the type does not have, and for a path without the id it needs. */
export function entryRoutesOf(kernel: Kernel, type: ContentType): readonly EntryRoute[] {
  const own = builtInRoutes(type)
  const declared = kernel.services.find('rest', 'routes')?.(type) ?? null
  if (declared === null) return own
  for (const { operation, path } of declared) {
    const usual = own.find(one => one.operation === operation)
    if (usual === undefined) throw refusal(type, operation, 'the type has no such action')
    if (usual.path.endsWith('/:id') && !/\/:id(?:[/(]|$)/.test(path))
      throw refusal(type, operation, `the path ${path} has no :id`)
  }
  return declared
}

const refusal = ({ uid }: ContentType, operation: Operation, fault: string) =>
  new UsageError('PLINTH_DEFINITION_INVALID', `rest.routes: ${uid}.${operation}: ${fault}`)

/** The routes that a type has by itself. */
export function builtInRoutes({ kind, singularName, pluralName }: ContentType): readonly EntryRoute[] {
  if (kind === 'singleType') {
    const path = `/${singularName}`
    return [
      { operation: 'find', method: 'GET', path },
      { operation: 'update', method: 'PUT', path },
      { operation: 'delete', method: 'DELETE', path },
    ]
  }
  const path = `/${pluralName}`
  return [
    { operation: 'find', method: 'GET', path },
    { operation: 'findOne', method: 'GET', path: `${path}/:id` },
    { operation: 'create', method: 'POST', path },
    { operation: 'update', method: 'PUT', path: `${path}/:id` },
    { operation: 'delete', method: 'DELETE', path: `${path}/:id` },
  ]
}
