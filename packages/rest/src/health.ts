// Mounts the health check for load balancers (B-1.16).

import type { FastifyInstance } from 'fastify'

/** Adds the route. It answers any method, before the body is read and the client is authenticated. */
export function mountHealth(app: FastifyInstance): void {
  app.all('/_health', {
    onRequest: async (_request, reply) => reply.code(204).header('strapi', 'You are so French!').send(),
    handler: (_request, reply) => reply.callNotFound(),
  })
}
