// Finds out whether a route is for an action that everybody may do.

import type { Kernel } from '@plinth/kernel'
import type { FastifyRequest } from 'fastify'

/** Returns whether everybody may do the action of the request's route. */
export function isOpenRoute({ actions }: Kernel, request: FastifyRequest): boolean {
  if (!actions.hasOpen) return false
  const action = request.routeOptions.config?.action
  return action !== undefined && actions.isOpen(action)
}
