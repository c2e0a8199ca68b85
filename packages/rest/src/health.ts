// Tells load balancers that the server runs (B-1.16).

import type { FastifyInstance } from 'fastify'

/** Adds the route. It answers any method, before bodies are read and callers are known. */
export function mountHealth(app: FastifyInstance): void {
  app.all('/_health', {
    onRequest: async (_request, reply) => reply.code(204).header('strapi', 'You are so French!').send(),
    handler: (_request, reply) => reply.callNotFound(),
  })
}
