// The header itself: which keys are refused, and where it has no effect.

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import t from 'tap'
import { count, start } from './fixtures/boot.ts'

t.test('keys that are none', async t => {
  const { send, orders } = await start(t)
  const error = { name: 'ValidationError', message: /^Invalid Idempotency-Key: /, details: { path: 'idempotency-key' } }
  for (const key of ['', ' ', 'x'.repeat(256), 'ä', 'a\tb'])
    t.match(
      await send({ key, data: { title: 'x' } }),
      { status: 400, body: { data: null, error } },
      JSON.stringify(key),
    )
  t.same(await orders(), [])
  t.match(await send({ key: 'x'.repeat(255), data: { title: 'x' } }), { status: 200 })
  t.match(await send({ key: '"8e03978e-40d5-43dd-bc93-6894a57f9324"', data: { title: 'x' } }), { status: 200 })
})

t.test('two headers', async t => {
  const { app } = await start(t)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  const body = '{"data":{"title":"x"}}'
  const head = ['POST /api/orders HTTP/1.1', 'host: x', 'connection: close', 'content-type: application/json']
  const more = [`content-length: ${body.length}`, 'idempotency-key: a', 'Idempotency-Key: b', '', body]
  socket.end([...head, ...more].join('\r\n'))
  let text = ''
  socket.on('data', chunk => {
    text += chunk
  })
  await once(socket, 'close')
  t.match(text, /^HTTP\/1\.1 400 [\s\S]*more than one/)
})

t.test('requests with files', async t => {
  const { send } = await start(t)
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }
  const payload = '--x\r\ncontent-disposition: form-data; name="data"\r\n\r\n{"title":"x"}\r\n--x--\r\n'
  t.match(await send({ key: 'k', headers, payload }), {
    status: 400,
    body: { error: { message: /upload the files first/ } },
  })
})

t.test('who may not write is told that first', async t => {
  const { send } = await start(t)
  for (const key of ['', 'k']) {
    t.match(await send({ key, as: 'gone', data: { title: 'x' } }), { status: 401 })
    t.match(await send({ key, as: 'stranger', data: { title: 'x' } }), { status: 403 })
  }
})

t.test('reads do not look at it', async t => {
  const { send, rows } = await start(t)
  t.match(await send({ method: 'HEAD', key: 'k' }), { status: 200, body: null })
  t.match(await send({ method: 'HEAD', key: '' }), { status: 200, body: null })
  for (const url of ['/api/orders', '/api/orders?fields=title'])
    t.match(await send({ method: 'GET', url, key: 'k' }), { status: 200, body: { data: [] } })
  t.equal(await rows(count), 0)
})

t.test('requests without it run no statement more', async t => {
  const statements: string[] = []
  const { send } = await start(t, {
    configure: ({ hooks }) => hooks.on('onStatement', text => void statements.push(text)),
  })
  await send({ data: { title: 'x' } })
  t.ok(statements.length > 0)
  t.same(
    statements.filter(one => one.includes('idempotency')),
    [],
  )
})

t.test('pages of other origins may send the header, and read that an answer was given before', async t => {
  const { app } = await start(t)
  const origin = 'https://one.example'
  const headers = { origin, 'access-control-request-method': 'POST' }
  const asked = await app.inject({ method: 'OPTIONS', url: '/api/orders', headers })
  t.match(asked.headers['access-control-allow-headers'], /, Idempotency-Key$/)
  const read = await app.inject({ url: '/api/orders', headers: { origin } })
  t.match(read.headers['access-control-expose-headers'], /, Idempotency-Replayed$/)
})

t.test('a misspelt setting stops the start', t =>
  t.rejects(start(t, { config: { keepFr: 5 } }), { message: /keepFr.*did you mean "keepFor"/s }),
)
