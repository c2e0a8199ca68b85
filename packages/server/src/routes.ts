// Keeps the routes of a kernel's server for plugins that describe them, which may be registered after plugins with routes.

import type { Kernel } from '@plinth/kernel'
import type { FastifyInstance, RouteOptions } from 'fastify'

const routesByKernel = new WeakMap<Kernel, RouteOptions[]>()

/** Keeps the routes that are added to a scope and its children from now on. Called before plugins are registered. */
export function keepRoutes(kernel: Kernel, scope: FastifyInstance): void {
  const routes: RouteOptions[] = []
  routesByKernel.set(kernel, routes)
  scope.addHook('onRoute', route => void routes.push(route))
}

/**
 * Returns the routes of the kernel's server, as they were added; none without a server. The list grows until the server is
 * ready, and plugins may add to the `config` of a route until then.
 */
export function routesOf(kernel: Kernel): readonly RouteOptions[] {
  return routesByKernel.get(kernel) ?? []
}
