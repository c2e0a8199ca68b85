// Makes the span of each request. Attributes have the names of OpenTelemetry's semantic conventions. No span has what a
// client sends but the path: query strings, headers and bodies may hold secrets.

import { type Context, context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { type Kernel, redactText } from '@plinth/kernel'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { StatementSpans } from './statements.ts'

export interface SpanOptions {
  readonly kernel: Kernel
  readonly statements: boolean
  readonly health: boolean
}

/** The property of a request that holds its span. */
const spanKey = Symbol('plinth.span')

interface Keeper {
  [spanKey]?: Span | null
}

/** Adds spans to all requests of a scope that begin in a trace that is recorded. */
export function addSpans(app: FastifyInstance, { kernel, statements, health }: SpanOptions): void {
  const tracer = trace.getTracer('@plinth/telemetry')
  if (!app.hasRequestDecorator(spanKey)) app.decorateRequest(spanKey, null)
  app.addHook('onRequest', (request, reply, done) => {
    if (!health && request.raw.url!.startsWith('/_health')) return done()
    const span = tracer.startSpan(request.method, { kind: SpanKind.SERVER }, parentOf(request))
    if (!span.isRecording()) return context.with(trace.setSpan(context.active(), span), done)
    ;(request as Keeper)[spanKey] = span
    describe(span, request)
    // Answers that the client does not read to their end have no `onResponse`.
    reply.raw.once('close', () => {
      const { statusCode } = reply.raw
      span.setAttribute('http.response.status_code', statusCode)
      if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    })
    const within = trace.setSpan(context.active(), span)
    const go = () => context.with(within, done)
    if (statements) kernel.observe(new StatementSpans(tracer, within), go)
    else go()
  })
  app.addHook('onError', (request, _reply, error, done) => {
    // Errors of clients are answers; what failed here is worth a look.
    const { status, statusCode = status ?? 500 } = error as { readonly status?: number; readonly statusCode?: number }
    if (statusCode >= 500) (request as Keeper)[spanKey]?.recordException(withoutSecrets(error))
    done()
  })
}

/** An error as spans have it. Messages of drivers and of clients of other services may quote what was sent to them. */
function withoutSecrets({ name, message, stack = '' }: Error) {
  return { name, message: redactText(message), stack: redactText(stack) }
}

/** The span that instrumentation of Node made for this request, else that of the client, from its headers. */
function parentOf(request: FastifyRequest): Context {
  const active = context.active()
  return trace.getSpan(active) === undefined ? propagation.extract(active, request.headers) : active
}

function describe(span: Span, request: FastifyRequest): void {
  const { url } = request.routeOptions
  const path = request.raw.url!.split('?', 1)[0]!
  span.setAttribute('http.request.method', request.method)
  span.setAttribute('url.path', path)
  span.setAttribute('url.scheme', request.protocol)
  if (url === undefined) return
  span.setAttribute('http.route', url)
  span.updateName(`${request.method} ${url}`)
}
