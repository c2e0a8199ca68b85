// HTTP pipelining: of the requests on one connection one runs, a few wait, and more are refused.

import { type AddressInfo, connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { definePlugin } from '@plinth/kernel'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { createServer, plinth } from '../src/index.ts'

const memory = { client: 'sqlite', connection: { filename: ':memory:' } }

/** A server with a route that takes some time, and what became of its requests. */
async function open(t: Test, isOwn = false) {
  const seen = { begun: 0, underWay: 0, most: 0 }
  const slow = definePlugin({
    name: 'slow',
    register: ({ kernel }) =>
      kernel.hooks.on('onMount', app => {
        app.all('/slow', async request => {
          seen.begun++
          seen.most = Math.max(seen.most, ++seen.underWay)
          await sleep(20)
          seen.underWay--
          return { query: request.query, body: request.body ?? null }
        })
        app.get('/pieces', async (_request, reply) => {
          async function* pieces() {
            for (let i = 0; i < 20; i++) {
              yield `piece ${i};`
              await sleep(20)
            }
          }
          return reply.send(Readable.from(pieces(), { objectMode: false }))
        })
        app.get('/large', async () => {
          seen.begun++
          return 'x'.repeat(4 * 1024 * 1024)
        })
      }),
  })
  const options = { database: memory, plugins: { slow: { plugin: slow } } }
  const app = isOwn ? Fastify() : await createServer({ ...options, logger: false })
  if (isOwn) await app.register(plinth, options)
  t.teardown(() => app.close())
  await app.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  return { socket, seen }
}

/** All that a socket says until it has said `count` answers, or nothing more. */
async function receive(socket: Socket, count: number): Promise<string[]> {
  let text = ''
  let isOver = false
  socket.on('data', chunk => {
    text += chunk
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    isOver = true
  })
  const answers = () => text.split('HTTP/1.1 ').slice(1)
  for (let i = 0; i < 1000 && !isOver && answers().length < count; i++) await sleep(10)
  return answers()
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`
const post = (path: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`

for (const isOwn of [false, true]) {
  t.test(`few requests are answered in turn${isOwn ? ', on a Fastify of one’s own' : ''}`, async t => {
    const { socket, seen } = await open(t, isOwn)
    const texts = Array.from({ length: 20 }, (_, i) =>
      i % 2 === 0 ? get(`/slow?n=${i}`) : post(`/slow?n=${i}`, `{"n":${i}}`),
    )
    socket.write(texts.join(''))
    const answers = await receive(socket, 20)
    t.equal(answers.length, 20)
    for (const [i, answer] of answers.entries()) {
      t.match(answer, /^200 /)
      t.ok(answer.includes(`{"query":{"n":"${i}"},"body":${i % 2 === 0 ? 'null' : `{"n":${i}}`}}`), `${i}`, { answer })
    }
    t.equal(seen.most, 1, 'one is under way at a time')
  })
}

t.test('too many pipelined requests are answered 503', async t => {
  const { socket, seen } = await open(t)
  socket.write(get('/slow').repeat(500))
  const answers = await receive(socket, 500)
  t.equal(answers.length, 1)
  t.match(answers[0], /^503 Service Unavailable\r\n/)
  t.match(answers[0], /\r\nretry-after: 1\r\n/)
  t.match(answers[0], /"status":503,"name":"ServiceUnavailableError","message":"Too many pipelined requests/)
  t.ok(socket.closed, 'and closed')
  t.equal(seen.begun, 1, 'what waited was not begun')
})

t.test('too many requests after a write close the connection without an answer', async t => {
  const { socket, seen } = await open(t)
  socket.write(post('/slow', '{}') + get('/slow').repeat(500))
  t.same(await receive(socket, 1), [], 'no response says that it was not done')
  t.equal(seen.begun, 1)
})

t.test('requests of a client that does not read wait', async t => {
  const { socket, seen } = await open(t)
  socket.pause()
  socket.write(get('/large').repeat(8))
  await sleep(1000)
  t.ok(seen.begun < 4, 'gets no further', seen)
  socket.resume()
  t.equal((await receive(socket, 8)).length, 8, 'until it reads')
})

t.test('an invalid request does not break into a running answer', async t => {
  const { socket } = await open(t)
  socket.write(get('/pieces'))
  const [answer] = await receive(socket, 1)
  t.match(answer, 'piece 0;')
  let rest = ''
  socket.on('data', chunk => {
    rest += chunk
  })
  const closed = new Promise(resolve => socket.once('close', resolve))
  socket.write('no request\r\n\r\n')
  await closed
  t.notMatch(rest, 'HTTP/1.1', 'is not answered in the middle of that')
})
