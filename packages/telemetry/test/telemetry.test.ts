// Spans of requests and statements: their parents, names and attributes, and what they do not tell.

import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { definePlugin } from '@plinth/kernel'
import rest from '@plinth/rest'
import { createServer } from '@plinth/server'
import t, { type Test } from 'tap'
import telemetry from '../src/index.ts'

const exporter = new InMemorySpanExporter()
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
propagation.setGlobalPropagator(new W3CTraceContextPropagator())

const note = {
  uid: 'api::note.note',
  kind: 'collectionType' as const,
  collectionName: 'notes',
  info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
  attributes: { text: { type: 'string' } },
}

async function open(t: Test, config: Record<string, unknown> | true, serverTiming = false) {
  const own = definePlugin({
    name: 'own',
    register: ({ kernel }) =>
      kernel.hooks.on('onMount', app => {
        app.get('/broken', async () => {
          throw new Error('it broke')
        })
        app.get('/leaks', async () => {
          throw new Error('no answer of postgres://app:Qz7marked@db/x, said with {"token":"Qz7marked"}')
        })
        app.get('/inner', async () => {
          trace.getTracer('own').startSpan('inner').end()
          return 'x'
        })
      }),
  })
  const app = await createServer({
    database: { client: 'sqlite', connection: { filename: ':memory:' } },
    contentTypes: [note],
    plugins: {
      telemetry: { plugin: telemetry, config: config === true ? {} : config },
      rest: { plugin: rest },
      own: { plugin: own },
    },
    logger: false,
    serverTiming,
  })
  t.teardown(() => app.close())
  exporter.reset()
  return app
}

const spans = () => exporter.getFinishedSpans()
const named = (name: string) => spans().find(one => one.name === name)
const parentId = (span: ReadableSpan | undefined) => span?.parentSpanContext?.spanId

t.test('without an SDK nothing happens', async t => {
  const app = await open(t, true)
  t.equal((await app.inject('/api/notes')).statusCode, 200)
  t.same(spans(), [])
  trace.setGlobalTracerProvider(provider)
})

t.test('a request and its statements', async t => {
  const app = await open(t, true)
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  await app.inject({ method: 'POST', url: '/api/notes', payload: { data: { text: 'a secret' } } })
  exporter.reset()
  const answer = await app.inject({ url: '/api/notes?filters[text]=a%20secret&token=secret', headers: { traceparent } })
  t.equal(answer.statusCode, 200)
  const request = named('GET /api/notes')
  t.equal(request?.kind, SpanKind.SERVER)
  t.equal(request?.spanContext().traceId, '0af7651916cd43dd8448eb211c80319c', 'the trace of the client')
  t.equal(parentId(request), 'b7ad6b7169203331')
  t.same(request?.attributes, {
    'http.request.method': 'GET',
    'url.path': '/api/notes',
    'url.scheme': 'http',
    'http.route': '/api/notes',
    'http.response.status_code': 200,
  })
  const selects = spans().filter(one => one.name.startsWith('SELECT'))
  t.ok(selects.length >= 1)
  for (const one of selects) {
    t.equal(one.kind, SpanKind.CLIENT)
    t.equal(parentId(one), request?.spanContext().spanId)
    t.match(one.attributes['db.query.text'], /FROM .?notes/)
  }
  t.notMatch(JSON.stringify(spans().map(({ name, attributes }) => [name, attributes])), /secret/)
})

t.test('errors', async t => {
  const app = await open(t, true)
  await app.inject('/broken')
  t.equal(named('GET /broken')?.status.code, SpanStatusCode.ERROR)
  t.match(named('GET /broken')?.events[0]?.attributes, { 'exception.message': 'it broke' })
  exporter.reset()
  await app.inject('/api/notes/7')
  const missing = named('GET /api/notes/:id')
  t.equal(missing?.attributes['http.response.status_code'], 404)
  t.equal(missing?.status.code, SpanStatusCode.UNSET)
  t.same(missing?.events, [])
  await app.inject('/nothing')
  t.equal(named('GET')?.attributes['url.path'], '/nothing')
})

t.test('security.md row 87: no secret of a request or of an error is in a span', async t => {
  const app = await open(t, true)
  const headers = { cookie: 'session=Qz7marked', 'x-api-key': 'Qz7marked' }
  await app.inject({ url: '/api/notes', headers: { authorization: 'Bearer Qz7marked' } })
  for (const url of ['/leaks?token=Qz7marked', '/api/notes?filters[text]=Qz7marked', '/nothing?token=Qz7marked'])
    await app.inject({ url, headers })
  await app.inject({ method: 'POST', url: '/api/notes', headers, payload: { data: { text: 'Qz7marked' } } })
  const spans = exporter.getFinishedSpans()
  t.match(named('GET /leaks')?.events[0]?.attributes, {
    'exception.message': 'no answer of postgres://[redacted]@db/x, said with {"token":"[redacted]"}',
    'exception.stacktrace': /telemetry\.test/,
  })
  for (const { name, attributes, events, status, links } of spans)
    t.notMatch(JSON.stringify({ name, attributes, events, status, links }), 'Qz7marked', name)
  t.ok(spans.length > 4, 'there are spans, also of statements')
})

t.test('spans of the application are below that of the request', async t => {
  const app = await open(t, true)
  await app.inject('/inner')
  t.equal(parentId(named('inner')), named('GET /inner')?.spanContext().spanId)
})

t.test('the options', async t => {
  const app = await open(t, { statements: false, health: true })
  await app.inject('/api/notes')
  await app.inject('/_health')
  t.same(
    spans()
      .map(({ name }) => name)
      .sort(),
    ['GET /_health', 'GET /api/notes'],
  )
  const plain = await open(t, true)
  await plain.inject('/_health/ready')
  t.same(spans(), [])
  await t.rejects(open(t, { statement: false }), { message: /telemetry\.config\.statement/ })
})

t.test('beside Server-Timing, both see the statements', async t => {
  const app = await open(t, true, true)
  const { headers } = await app.inject('/api/notes')
  t.match(headers['server-timing'], /desc="[1-9] statement/)
  t.ok(spans().some(one => one.name.startsWith('SELECT')))
})
