// Bodies that arrive slowly: `requestTimeout` ends all but those that readParts reads, which have limits of their own.

import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { mock } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { definePlugin, type PlinthError } from '@plinth/kernel'
import t, { type Test } from 'tap'
import { createServer } from '../src/index.ts'
import { readParts } from '../src/transport.ts'

const boundary = 'b'
const head = `--${boundary}\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n`
const end = `\r\n--${boundary}--\r\n`

/** A server with a route for uploads and one for JSON, which gives requests 300 ms. */
async function start(t: Test, longestWait?: number) {
  const errors: PlinthError[] = []
  const plugin = definePlugin({
    name: 'uploads',
    register({ kernel }) {
      kernel.hooks.on('onMount', app => {
        app.addContentTypeParser('multipart/form-data', (_request, _stream, done) => done(null))
        app.post('/json', async () => 'read')
        app.post('/upload', async ({ raw }) => {
          let size = 0
          const limits = { fieldLimit: 100, ...(longestWait && { longestWait }) }
          try {
            for await (const part of readParts(raw, limits)) {
              if (part.kind !== 'file') continue
              for await (const piece of part.stream) size += (piece as Buffer).length
            }
          } catch (error) {
            errors.push(error as PlinthError)
            throw error
          }
          return String(size)
        })
      })
    },
  })
  const app = await createServer({
    database: { client: 'sqlite', connection: { filename: ':memory:' } },
    plugins: { uploads: { plugin } },
    logger: false,
    // Fastify's types lack the options of Node's server.
    fastify: { requestTimeout: 300, http: { connectionsCheckingInterval: 50 } } as object,
  })
  // Node expects it to be the shorter one.
  app.server.headersTimeout = 200
  t.teardown(() => app.close())
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const open = (url: string, type: string, size: number): Socket => {
    const socket = connect(port, '127.0.0.1')
    t.teardown(() => void socket.destroy())
    socket.on('error', () => undefined)
    socket.write(`POST ${url} HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nContent-Length: ${size}\r\n\r\n`)
    return socket
  }
  const upload = (size: number) => {
    const socket = open('/upload', `multipart/form-data; boundary=${boundary}`, head.length + size + end.length)
    socket.write(head)
    return socket
  }
  return { open, upload, errors, app }
}

async function answerOf(socket: Socket): Promise<string> {
  return String((await once(socket, 'data'))[0])
}

/** Sends so many bytes in steps of 50 ms. */
async function trickle(socket: Socket, steps: number, bytes: number): Promise<void> {
  for (let i = 0; i < steps && socket.writable; i++) {
    socket.write('x'.repeat(bytes))
    await wait(50)
  }
}

t.test('security.md row 46: an upload may take longer than other requests', async t => {
  const { open, upload, errors, app } = await start(t)
  const slow = upload(20 * 1000)
  const answer = answerOf(slow)
  await trickle(slow, 20, 1000)
  slow.write(end)
  t.match(await answer, /^HTTP\/1.1 200 .*\r\n20000$/s, 'one that took 1 s')
  const json = open('/json', 'application/json', 100)
  const refused = answerOf(json)
  await trickle(json, 20, 1)
  t.match(await refused, /^HTTP\/1.1 408 /)
  t.notOk(json.writable, 'and the connection is closed')

  const begun = performance.now()
  const next = open('/json', 'application/json', 2)
  next.write('{}')
  t.match(await answerOf(next), /^HTTP\/1.1 200 /)
  next.write('POST /json HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{')
  t.match(await answerOf(next), /^HTTP\/1.1 408 /)
  t.ok(performance.now() - begun < 10_000, 'long before an upload would be refused')
  slow.write('POST /json HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{')
  t.match(await answerOf(slow), /^HTTP\/1.1 408 /, 'the next request on the connection of an upload has the limit, too')
  t.same(errors, [])
  t.equal(app.server.requestTimeout, 300)
})

t.test('security.md row 46: an upload that brings next to nothing ends', async t => {
  const { upload, errors } = await start(t, 200)
  const silent = upload(1000)
  t.match(await answerOf(silent), /^HTTP\/1.1 408 /, 'one that stops')
  const slow = upload(1000)
  let answers = ''
  slow.on('data', data => {
    answers += String(data)
  })
  // A byte that is sent after the server has closed resets the connection, which is an end as well.
  const closed = new Promise<void>(resolve => void slow.once('close', () => resolve()))
  await trickle(slow, 40, 1)
  await closed
  t.match(answers, /^HTTP\/1.1 408 /, 'one that sends a byte now and then')
  t.equal(answers.match(/HTTP\/1.1/g)?.length, 1, 'with one answer, before requestTimeout closes the connection')
  const steady = upload(20 * 100)
  const good = answerOf(steady)
  await trickle(steady, 20, 100)
  steady.write(end)
  t.match(await good, /^HTTP\/1.1 200 /, 'not one with 2 KB/s')
  t.match(errors, [{ status: 408 }, { status: 408 }])
})

t.test('injected bodies, read to their end or not', async t => {
  const { app, errors } = await start(t)
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }
  const part = (length: number) => `--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n${'a'.repeat(length)}\r\n`
  for (const [payload, status] of [
    [`${part(10)}--x--\r\n`, 200],
    [`${part(1000)}--x--\r\n`, 413],
    [`${part(10).repeat(1001)}--x--\r\n`, 400],
    [part(10), 400],
    ['--x\r\n\r\n\r\n', 400],
  ] as const)
    t.equal((await app.inject({ method: 'POST', url: '/upload', headers, payload })).statusCode, status)
  mock.timers.tick(31_000)
  t.equal(errors.length, 4)
})
