// The budget of bytes over HTTP: large answers that nobody takes, bodies and forms are refused when it is full; small answers
// and other callers are served, and what a client held is returned when it leaves.

import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { definePlugin, openAccess } from '@plinth/kernel'
import { createServer } from '@plinth/server'
import { budgetOf, promiseRelease, type Share, shareOf } from '@plinth/server/transport'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import rest from '../src/index.ts'
import { start, type } from './fixtures/boot.ts'

const mb = 1024 * 1024
const texts = 100
const textLength = 100_000

async function eventually(t: Test, isTrue: () => boolean, message: string): Promise<void> {
  for (let i = 0; i < 500 && !isTrue(); i++) await sleep(20)
  t.ok(isTrue(), message)
}

/** A server whose texts together are more than a socket takes of a client that reads nothing. */
async function open(t: Test, maxBytes: number, config = {}, addRoutes: (app: FastifyInstance) => void = () => {}) {
  const contentTypes = [type('text', { title: { type: 'string' }, body: { type: 'text' } })]
  const folder = await mkdtemp(join(tmpdir(), 'plinth-rest-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const app = await createServer({
    database: { client: 'sqlite', connection: { filename: join(folder, 'data.db') } },
    contentTypes,
    config: { server: { budget: { maxBytes }, proxy: true } },
    plugins: { rest: { plugin: rest, config } },
    configure: kernel => kernel.hooks.on('onMount', addRoutes),
    logger: false,
  })
  t.teardown(() => app.close())
  const { kernel } = app
  await Promise.all(
    Array.from({ length: texts }, (_, i) =>
      kernel.query('api::text.text').create({ data: { title: `t${i}`, body: 'x'.repeat(textLength) } }),
    ),
  )
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const budget = budgetOf(kernel)
  const ask = async (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) => {
    const response = await fetch(`${address}${path}`, { ...init, headers })
    return { status: response.status, retryAfter: response.headers.get('retry-after'), text: await response.text() }
  }
  /** A client that reads nothing of its answer. */
  const askUnread = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.pause()
    socket.on('error', () => {})
    socket.write(`GET ${large} HTTP/1.1\r\nhost: x\r\n\r\n`)
    t.teardown(() => socket.destroy())
    return socket
  }
  return { app, budget, ask, askUnread }
}

const large = '/api/texts?pagination[limit]=100'
const small = '/api/texts?fields=title&pagination[pageSize]=25'

t.test('security.md row 91: answers that nobody takes are bounded together', async t => {
  const { budget, ask, askUnread } = await open(t, 64 * mb)
  Object.assign(budget, { waitTimeout: 200 })
  const whole = await ask(large)
  t.equal(whole.status, 200)
  t.equal(JSON.parse(whole.text).data.length, texts)
  await eventually(t, () => budget.bytes === 0, 'an answer that was taken holds nothing')

  const unread = [await askUnread(), await askUnread()]
  await eventually(
    t,
    () => budget.held.answers > 8 * mb && budget.held.rows === 0,
    'the first answers wait for their clients',
  )
  const more = await Promise.all(Array.from({ length: 30 }, () => ask(large)))
  t.ok(budget.bytes <= 32 * mb, 'one caller holds at most half')
  const refused = more.filter(one => one.status === 503)
  t.ok(refused.length > 0, 'large answers are refused')
  t.ok(refused.every(one => one.retryAfter === '2'))
  t.ok(more.every(one => one.status === 503 || one.status === 200))
  t.ok(budget.refusals.rows + budget.refusals.answers >= refused.length)
  for (const path of ['/api/texts/1?fields=title', small]) t.equal((await ask(path)).status, 200, path)
  t.equal((await ask('/_health')).status, 204)
  t.equal((await ask(large, { 'x-forwarded-for': '10.1.2.3' })).status, 200, 'another caller has its own share')

  for (const socket of unread) socket.destroy()
  await eventually(t, () => budget.bytes === 0, 'a client that leaves returns its share')
  t.strictSame(Object.values(budget.held), [0, 0, 0, 0, 0, 0])
  t.equal((await ask(large)).status, 200)
})

t.test('an answer larger than one caller may hold is refused at once, small ones are not', async t => {
  const { budget, ask } = await open(t, 8 * mb)
  for (let i = 0; i < 3; i++) t.match(await ask(large), { status: 503, retryAfter: '2' })
  const one = await ask('/api/texts/1')
  t.equal(one.status, 200)
  t.equal(JSON.parse(one.text).data.attributes.body.length, textLength)
  t.equal((await ask('/api/texts?pagination[limit]=5')).status, 200)
  await eventually(t, () => budget.bytes === 0, 'nothing is held')
})

t.test('every request returns its share, on a connection that stays open', async t => {
  const { budget, ask } = await open(t, 64 * mb)
  const account = budget.account('127.0.0.1')
  const json = (method: string, body: unknown): RequestInit => ({ method, body: JSON.stringify(body) })
  const type = { 'content-type': 'application/json' }
  const requests: [status: number, path: string, init?: RequestInit][] = [
    [200, '/api/texts/1?fields=title'],
    [200, small],
    [200, large],
    [404, '/api/texts/999999'],
    [404, '/api/texts/no'],
    [404, '/api/nothing'],
    [400, '/api/texts?sort=nothing'],
    [400, '/api/texts?filters[title][$nothing]=1'],
    [405, '/api/texts', { method: 'DELETE' }],
    [200, '/api/texts', json('POST', { data: { title: 'new' } })],
    [400, '/api/texts', json('POST', { data: { title: { a: 1 } } })],
    [400, '/api/texts', json('POST', {})],
    [400, '/api/texts', { method: 'POST', body: '{' }],
    [200, '/api/texts/1?fields=title', json('PUT', { data: { title: 'x'.repeat(200) } })],
    [200, `/api/texts/${texts}`, { method: 'DELETE' }],
    [404, '/api/texts/999999', { method: 'DELETE' }],
  ]
  for (const [status, path, init] of requests) {
    const answer = await ask(path, init?.body === undefined ? {} : type, init)
    t.equal(answer.status, status, `${init?.method ?? 'GET'} ${path}`)
    await eventually(t, () => account.shares === 0, 'its share is closed')
  }
  t.same(budget.held, { rows: 0, answers: 0, bodies: 0, files: 0, variables: 0, messages: 0 })
  t.same([budget.bytes, account.large, account.small, account.rows], [0, 0, 0, 0])
})

t.test('a share whose handler does not release it ends with the next request or the connection', async t => {
  const { app, ask, budget } = await open(t, 64 * mb, {}, routes =>
    routes.get('/kept', async request => {
      promiseRelease(request)
      return { added: shareOf(request).add('answers', 1000) }
    }),
  )
  const { port } = app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  let received = ''
  socket.on('data', chunk => {
    received += chunk
  })
  const get = async (path: string) => {
    received = ''
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`)
    await eventually(t, () => /\r\n\r\n[{[]/.test(received), path)
  }
  await get('/kept')
  t.equal(budget.held.answers, 1000)
  await get('/kept')
  t.equal(budget.held.answers, 1000, 'of the second request alone')
  await get(small)
  await eventually(t, () => budget.bytes === 0, 'nothing is left')
  await get('/kept')
  t.equal(budget.held.answers, 1000)
  socket.destroy()
  await eventually(t, () => budget.bytes === 0, 'nothing is left after the connection')
  t.equal((await ask(small)).status, 200)
})

t.test('a client that leaves while its request is authenticated holds nothing', async t => {
  const asked: (() => void)[] = []
  const slow = definePlugin({
    name: 'slow',
    register({ kernel }) {
      const authenticate = async () => {
        await new Promise<void>(resolve => asked.push(resolve))
        return openAccess
      }
      kernel.auth.use({ name: 'slow', authenticate })
    },
  })
  const { app, kernel, of } = await start(t, { plugins: { slow: { plugin: slow } } })
  await of('tag').create({ data: { label: 'a' } })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const sockets = new Set<Socket>()
  app.server.on('connection', socket => sockets.add(socket))
  const budget = budgetOf(kernel)
  const shares: Share[] = []
  const open = budget.open.bind(budget)
  Object.assign(budget, {
    open(caller: string) {
      shares.push(open(caller))
      return shares.at(-1)
    },
  })
  const body = (label: string) => JSON.stringify({ data: { label } })
  const requests = [
    ['GET', ''],
    ['HEAD', ''],
    ['POST', body('b')],
    ['POST', body('b'.repeat(100_000))],
  ] as const
  for (const [method, text] of requests) {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    const lines = [`${method} /api/tags HTTP/1.1`, 'host: x', 'content-type: application/json']
    socket.write([...lines, `content-length: ${text.length}`, '', text].join('\r\n'))
    await eventually(t, () => asked.length > 0, 'the request is authenticated')
    const [served] = [...sockets]
    socket.destroy()
    if (served!.closed === false) await once(served!, 'close')
    sockets.delete(served!)
    asked.shift()!()
  }
  await eventually(t, () => shares.length === requests.length, 'each has a share')
  await eventually(t, () => shares.every(one => one.isClosed), 'and none of them stays open')
  t.equal(budget.bytes, 0)
})

t.test('bodies and fields of forms count while they arrive', async t => {
  const { budget, ask } = await open(t, 2 * mb, { body: { jsonLimit: '5mb' } })
  const post = (body: string, type = 'application/json') =>
    ask('/api/texts', { 'content-type': type }, { method: 'POST', body })
  const sized = (length: number) => JSON.stringify({ data: { title: 'y'.repeat(10), body: 'y'.repeat(length) } })
  t.equal((await post(sized(100_000))).status, 200)
  t.match(await post(sized(2_000_000)), { status: 503, retryAfter: '2' })
  t.ok(budget.refusals.bodies > 0)
  t.equal((await post(sized(6_000_000))).status, 413, 'what is too large is told so')
  const form = (length: number, count: number) => {
    const part = `--b\r\ncontent-disposition: form-data; name="data"\r\n\r\n${'{}'.padEnd(length)}\r\n`
    return post(`${part.repeat(count)}--b--\r\n`, 'multipart/form-data; boundary=b')
  }
  t.match(await form(900_000, 3), { status: 503, retryAfter: '2' })
  t.ok(budget.refusals.files > 0)
  await eventually(t, () => budget.bytes === 0, 'nothing is held')
  t.equal((await ask(small)).status, 200)
})
