// Serves the numbers: on a port of their own, or on the server of the API.

import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import type { Settings } from './config.ts'

/** Pause between two attempts to listen on a port that another process has, in milliseconds. */
const retryInterval = 1000

/**
 * Serves the numbers on a port of their own, as long as `app` listens. The API is not taken down by its numbers: if
 * another process of the machine has the port, such as the one that this process replaces, that is logged once, and the
 * port is tried again until it is free.
 */
export function serveBeside(
  app: FastifyInstance,
  registry: Registry,
  config: Settings & { readonly port: number },
): void {
  const { host = '127.0.0.1', path = '/metrics', token } = config
  const port = portOfProcess(config.port)
  const server = createServer((request, response) => void answer({ request, response, path, token, registry }))
  server.requestTimeout = 5000
  server.maxConnections = 100
  let isClosed = false
  let retry: NodeJS.Timeout | undefined
  // Processes of a cluster would share one port, and a request would meet the numbers of any of them.
  const listen = () => void server.listen({ port, host, exclusive: true })
  const listenLater = () => {
    if (!isClosed) retry = setTimeout(listen, retryInterval).unref()
  }
  app.addHook('onListen', done => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      app.log.error(
        `metrics: cannot listen at port ${port} of ${host}: ${error.message}; it is tried again every second, and until then the numbers are not served`,
      )
      server.on('error', listenLater)
      listenLater()
      done()
    })
    server.once('listening', () => {
      // The name of a host may be looked up while the server of the API is closed.
      if (isClosed) server.close()
      else app.log.info(`Metrics at http://${host.includes(':') ? `[${host}]` : host}:${portOf(server)}${path}`)
      if (retry === undefined) done()
    })
    listen()
  })
  app.addHook('onClose', async () => {
    isClosed = true
    clearTimeout(retry)
    if (!server.listening) return
    server.closeAllConnections()
    await new Promise<void>(resolve => server.close(() => resolve()))
  })
}

const portOf = (server: Server) => (server.address() as AddressInfo).port

/**
 * The port of this process: those of several processes follow each other. Process managers, such as
 * `plinth start --processes`, number their processes from 0 in NODE_APP_INSTANCE.
 */
function portOfProcess(port: number): number {
  const number = process.env.NODE_APP_INSTANCE ?? '0'
  return port === 0 || !/^\d{1,4}$/.test(number) ? port : port + Number(number)
}

interface MetricsRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly path: string
  readonly token: string | undefined
  readonly registry: Registry
}

async function answer({ request, response, path, token, registry }: MetricsRequest): Promise<void> {
  const end = (status: number, text: string, type = 'text/plain; charset=utf-8') =>
    void response.writeHead(status, { 'content-type': type, 'x-content-type-options': 'nosniff' }).end(text)
  try {
    if (request.method !== 'GET' && request.method !== 'HEAD') return end(405, 'Method Not Allowed\n')
    if (request.url?.split('?', 1)[0] !== path) return end(404, `The numbers are at ${path}\n`)
    if (!isAllowed(request.headers.authorization, token)) return end(401, 'Unauthorized\n')
    end(200, await registry.metrics(), registry.contentType)
  } catch {
    end(500, 'Internal Server Error\n')
  }
}

/** Serves the numbers on the server of the API. The token has been checked to be there. */
export function serveWithin(app: FastifyInstance, registry: Registry, { path = '/metrics', token }: Settings): void {
  const operation = () => ({
    tag: 'Metrics',
    summary: 'The numbers that Prometheus reads',
    ...(token !== undefined && { caller: 'the token of the setting `token`; others are answered 404' }),
    answers: { 200: { description: 'OK', schema: { type: 'string' }, mediaType: 'text/plain' } },
  })
  app.get(path, { logLevel: 'warn', config: { operation } }, async (request, reply) => {
    if (!isAllowed(request.headers.authorization, token)) return reply.callNotFound()
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

/** Compares digests, so that the time depends neither on the length nor on the beginning of the token. */
function isAllowed(header: string | undefined, token: string | undefined): boolean {
  if (token === undefined) return true
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return header !== undefined && timingSafeEqual(digest(header), digest(`Bearer ${token}`))
}
