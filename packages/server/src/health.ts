// Mounts the health checks for load balancers and process supervisors. Their answers are the same for everybody, so
// they give no details (security.md row 86): those are in the log.

import type { Kernel } from '@plinth/kernel'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { DescribedOperation, SchemaTools } from './described-operation.ts'
import { envelope } from './envelope.ts'

const unready = envelope(503, 'ServiceUnavailableError', 'Service Unavailable')

/** The paths of the checks, which no plugin has added. */
export const healthPaths: readonly string[] = ['/_health', '/_health/live', '/_health/ready']

/**
 * Adds `/_health` and `/_health/live`, which answer 204 as long as the process answers, and `/_health/ready`, which
 * answers 503 if requests should go to another process: the database does not answer, migration steps are pending, a
 * check of a plugin fails, or the server is closing. All answer any method, before a body is read and a client is
 * authenticated (B-1.16).
 */
export function mountHealth(app: FastifyInstance, { readiness, log }: Kernel): void {
  let isClosing = false
  let logged = ''
  const findFaults = async () => (isClosing ? ['server: it is closing'] : readiness.faults())
  app.addHook('preClose', async () => {
    isClosing = true
  })
  const answerAlive = async (_request: unknown, reply: FastifyReply) =>
    reply.code(204).header('strapi', 'You are so French!').send()
  const answerReady = async (_request: unknown, reply: FastifyReply) => {
    const faults = await findFaults()
    const text = faults.join('; ')
    // Load balancers ask every few seconds; a line for each request would hide everything else.
    if (text !== logged) {
      logged = text
      if (text === '') log.info('The server is ready again')
      else log.warn(`The server is not ready: ${text}`)
    }
    if (text === '') return reply.code(204).send()
    return reply
      .code(503)
      .header('retry-after', '1')
      .header('content-type', 'application/json; charset=utf-8')
      .send(unready)
  }
  for (const path of healthPaths) add(app, path, path.endsWith('/ready') ? answerReady : answerAlive)
}

/** The operation of a path; all methods are answered alike. */
function describe(path: string, { error }: SchemaTools): DescribedOperation {
  const operation = { tag: 'Health', methods: ['GET'] }
  const answers = { 204: { description: 'Yes' } }
  if (!path.endsWith('/ready')) return { ...operation, summary: 'Does the process answer?', answers }
  const refusal = { 503: { description: 'No', schema: error } }
  return { ...operation, summary: 'Should requests come to this process?', answers: { ...answers, ...refusal } }
}

type Answer = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** The answer is sent by a hook, because Fastify reads the body before it calls the handler. */
function add(app: FastifyInstance, path: string, onRequest: Answer): void {
  const isFirst = path === healthPaths[0]
  const config = { operation: (tools: SchemaTools) => describe(path, tools), ...(isFirst && { page: 'Health' }) }
  app.all(path, { onRequest, logLevel: 'silent', config }, (_request, reply) => reply.callNotFound())
}
