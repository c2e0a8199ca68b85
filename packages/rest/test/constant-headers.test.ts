// Headers that are the same in every answer are written as one text; every head is what Node writes by itself.

import { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { definePlugin } from '@plinth/kernel'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { start } from './fixtures/boot.ts'

/** Routes that change, remove and add headers, before and after those of Plinth are set. */
const changing = definePlugin({
  name: 'changing',
  register({ kernel }) {
    kernel.hooks.on('onMount', app => {
      app.get('/changed', async (_request, reply) => reply.header('x-frame-options', 'DENY').send('changed'))
      app.get('/removed', async (_request, reply) => reply.removeHeader('x-powered-by').send('removed'))
      app.get('/moved', async (_request, reply) => {
        const value = reply.getHeader('vary')
        return reply.removeHeader('vary').header('vary', value).send('moved')
      })
      app.get('/added', async (_request, reply) => reply.header('set-cookie', ['a=1', 'b=2']).send('added'))
      app.get('/raw', async (_request, reply) => {
        reply.raw.setHeader('x-raw', '1')
        return reply.send('raw')
      })
      app.get('/empty', async (_request, reply) => reply.code(204).send())
      app.get('/hijacked', async (_request, reply) => {
        reply.hijack()
        reply.raw.writeHead(200, ['content-length', '1'])
        reply.raw.end('x')
      })
    })
  },
})

async function listen(t: Test, config: Readonly<Record<string, unknown>>, isPlain: boolean): Promise<FastifyInstance> {
  // With options of its own for Node's server, Fastify makes it without Plinth's class of responses.
  const fastify = isPlain ? { http: {} } : {}
  const { app } = await start(t, { config, plugins: { changing: { plugin: changing } }, fastify })
  await app.listen({ host: '127.0.0.1', port: 0 })
  return app
}

/** Sends a request as text, and returns the head of the answer without times. */
function headOf(app: FastifyInstance, request: string): Promise<string> {
  const { port } = app.server.address() as { port: number }
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    socket.setEncoding('latin1')
    socket.on('data', chunk => {
      answer += chunk
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(answer.split('\r\n\r\n')[0]!.replace(/^date: .*$|dur=[\d.]+/gim, '')))
    socket.end(request)
  })
}

const ask = (line: string, ...headers: string[]) =>
  [`${line} HTTP/1.1`, 'host: localhost', 'connection: close', ...headers, '', ''].join('\r\n')

const requests: Readonly<Record<string, string>> = {
  list: ask('GET /api/tags'),
  'list of another origin': ask('GET /api/tags', 'origin: https://one.example'),
  preflight: ask('OPTIONS /api/tags', 'origin: https://one.example', 'access-control-request-method: PUT'),
  head: ask('HEAD /api/tags'),
  options: ask('OPTIONS /api/tags'),
  'no entry': ask('GET /api/tags/9'),
  'no route': ask('GET /nothing'),
  'refused body': `${ask('POST /api/tags', 'content-type: application/json', 'content-length: 1')}{`,
  'HTTP/1.0': 'GET /api/tags HTTP/1.0\r\n\r\n',
  ...Object.fromEntries(
    ['changed', 'removed', 'moved', 'added', 'raw', 'empty', 'hijacked'].map(name => [name, ask(`GET /${name}`)]),
  ),
}

const configs: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'by default': {},
  'without CORS': { cors: false },
  'with exposed headers': { cors: { expose: ['x-one', 'x-two'] } },
  'with all headers exposed': { cors: { expose: '*' } },
  'for listed origins': { cors: { origin: ['https://one.example'], credentials: false } },
  'for no origin': { cors: { origin: [] } },
  'without security headers': { securityHeaders: false, poweredBy: false },
}

for (const [name, config] of Object.entries(configs)) {
  t.test(`heads ${name}`, async t => {
    const [own, plain] = [await listen(t, config, false), await listen(t, config, true)]
    for (const [request, text] of Object.entries(requests)) {
      const head = await headOf(plain, text)
      t.match(head, /^HTTP\/1\.[01] \d{3} /, request)
      t.equal(await headOf(own, text), head, request)
    }
  })
}

t.test('only what no route has changed is written as one text', async t => {
  const app = await listen(t, {}, false)
  const prototype = ServerResponse.prototype as unknown as { _storeHeader(line: string, headers: object): void }
  const { _storeHeader } = prototype
  t.teardown(() => {
    prototype._storeHeader = _storeHeader
  })
  let line = ''
  prototype._storeHeader = function store(first, headers) {
    line = first
    _storeHeader.call(this, first, headers)
  }
  const isOneText = async (request: string) => {
    await headOf(app, requests[request]!)
    return line.includes('x-powered-by: ')
  }
  for (const request of ['list', 'no entry', 'added']) t.ok(await isOneText(request), request)
  for (const request of ['list of another origin', 'changed', 'removed', 'moved', 'raw', 'hijacked'])
    t.notOk(await isOneText(request), request)
})
