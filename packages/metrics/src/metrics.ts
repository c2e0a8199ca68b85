// Counts what happens. Labels are paths of routes, never URLs of requests: a client must not be able to make new series.

import type { Kernel } from '@plinth/kernel'
import { budgetKinds, budgetOf } from '@plinth/server/transport'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Settings } from './config.ts'

/** In seconds: from what a list takes on a quiet machine to the time limit of a statement. */
const defaultBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Other methods are counted as one. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** The numbers of one kernel on one server. */
export interface MeasuredServer {
  readonly kernel: Kernel
  readonly app: FastifyInstance
  readonly config: Settings
}

/** Creates the numbers of a server, and counts from now on. Several servers in one process have numbers of their own. */
export function createMetrics({ kernel, app, config }: MeasuredServer): Registry {
  const { prefix = 'plinth_', statements = false, process: hasProcess = true } = config
  const registry = new Registry()
  countRequests(app, registry, prefix, config.buckets ?? defaultBuckets)
  measureConnections(kernel, registry, prefix)
  measureBudget(kernel, registry, prefix)
  if (statements) countStatements(kernel, registry, prefix)
  if (hasProcess) collectDefaultMetrics({ register: registry, prefix })
  return registry
}

function countRequests(app: FastifyInstance, registry: Registry, prefix: string, buckets: number[]): void {
  const duration = new Histogram({
    name: `${prefix}http_request_duration_seconds`,
    help: 'Seconds from the head of a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    // A duration counts in the first bucket that takes it and in all that follow.
    buckets: [...new Set(buckets)].sort((a, b) => a - b),
    registers: [registry],
  })
  const running = new Gauge({
    name: `${prefix}http_requests_running`,
    help: 'Requests that are not answered yet',
    registers: [registry],
  })
  const aborted = new Counter({
    name: `${prefix}http_requests_aborted_total`,
    help: 'Requests whose client closed the connection before the answer',
    registers: [registry],
  })
  app.addHook('onRequest', (_request, reply, done) => {
    running.inc()
    // `onResponse` is not called for answers that the client does not read to their end.
    let isSent = false
    reply.raw.once('finish', () => {
      isSent = true
    })
    reply.raw.once('close', () => {
      running.dec()
      if (!isSent) aborted.inc()
    })
    done()
  })
  app.addHook('onResponse', (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    const method = methods.has(request.method) ? request.method : 'other'
    const labels = { method, route: request.routeOptions.url ?? 'none', status: String(reply.statusCode) }
    duration.observe(labels, reply.elapsedTime / 1000)
    done()
  })
}

function measureConnections(kernel: Kernel, registry: Registry, prefix: string): void {
  const gauge = new Gauge({
    name: `${prefix}database_connections`,
    help: 'Connections of the pool: in use, idle, and callers that wait for one',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { busy, idle, waiting } = kernel.connections
      gauge.set({ state: 'busy' }, busy)
      gauge.set({ state: 'idle' }, idle)
      gauge.set({ state: 'waiting' }, waiting)
    },
  })
  const limit = new Gauge({
    name: `${prefix}database_connections_max`,
    help: 'Connections that the pool may open',
    registers: [registry],
    collect() {
      limit.set(kernel.connections.max)
    },
  })
}

/** The bytes that are under way for callers, and who was refused for want of room. */
function measureBudget(kernel: Kernel, registry: Registry, prefix: string): void {
  const registers = [registry]
  const gauge = new Gauge({
    name: `${prefix}budget_bytes`,
    help: 'Bytes under way for callers: rows, answers that are not taken yet, bodies, files of forms, variables, messages',
    labelNames: ['kind'],
    registers,
    collect() {
      for (const kind of budgetKinds) gauge.set({ kind }, budgetOf(kernel).held[kind])
    },
  })
  const claimed = new Gauge({
    name: `${prefix}budget_claimed_bytes`,
    help: 'Bytes that callers have claimed of the budget, those included that running reads may still need',
    registers,
    collect() {
      claimed.set(budgetOf(kernel).bytes)
    },
  })
  const most = new Gauge({
    name: `${prefix}budget_max_bytes`,
    help: 'The size of the budget',
    registers,
    collect() {
      most.set(budgetOf(kernel).maxBytes)
    },
  })
  const refusals = new Counter({
    name: `${prefix}budget_refusals_total`,
    help: 'Reads and answers refused because the budget had no room for them',
    labelNames: ['kind'],
    registers,
    collect() {
      refusals.reset()
      for (const kind of budgetKinds) refusals.inc({ kind }, budgetOf(kernel).refusals[kind])
    },
  })
  const stalled = new Counter({
    name: `${prefix}http_connections_stalled_total`,
    help: 'Connections that were closed because their answers had not moved for 30 seconds',
    registers,
    collect() {
      stalled.reset()
      stalled.inc(budgetOf(kernel).stalledSockets)
    },
  })
}

/** The words with which statements of the kernel begin; others are counted as one. */
const verbs = new Set(['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'WITH', 'BEGIN', 'COMMIT', 'ROLLBACK'])

function countStatements(kernel: Kernel, registry: Registry, prefix: string): void {
  const counter = new Counter({
    name: `${prefix}database_statements_total`,
    help: 'SQL statements, by their first word',
    labelNames: ['verb'],
    registers: [registry],
  })
  kernel.hooks.on('onStatement', text => {
    const verb = text.slice(0, 8).split(/\W/, 1)[0]!.toUpperCase()
    counter.inc({ verb: verbs.has(verb) ? verb : 'other' })
  })
}
