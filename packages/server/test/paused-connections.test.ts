// Connections whose requests are refused because there is too much to do are paused, if very many are refused.

import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { definePlugin, UnavailableError } from '@plinth/kernel'
import { until } from '@plinth/test-tools/command'
import t, { type Test } from 'tap'
import { folder, open } from './fixtures/open.ts'

const routes = definePlugin({
  name: 'routes',
  register: ({ kernel }) =>
    kernel.hooks.on('onMount', app => {
      app.get('/busy', async () => {
        throw new UnavailableError('Too much to do', { isOverload: true, retryAfter: 1 })
      })
      app.get('/away', async () => {
        throw new UnavailableError('The database is away')
      })
      app.get('/small', async () => 'small')
    }),
})

/** A connection that sends a request at once when the one before was answered, until `count` are. */
interface Hammer {
  readonly socket: Socket
  answers: number
  statuses: string[]
}

async function stage(t: Test) {
  const app = await open(t, {
    dir: await folder(t, { 'config/server.json': { proxy: '127.0.0.2' } }),
    plugins: { routes: { plugin: routes } },
  })
  const sockets: Socket[] = []
  app.server.on('connection', (socket: Socket) => sockets.push(socket))
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const hammer = async (
    path: string,
    { from = '127.0.0.1', count = Number.POSITIVE_INFINITY } = {},
  ): Promise<Hammer> => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from })
    socket.on('error', () => {})
    t.teardown(() => socket.destroy())
    await once(socket, 'connect')
    const one: Hammer = { socket, answers: 0, statuses: [] }
    const send = () => socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`)
    socket.on('data', chunk => {
      const status = /^HTTP\/1.1 (\d+)/.exec(String(chunk))?.[1]
      if (status === undefined) return
      one.answers++
      one.statuses.push(status)
      if (one.answers < count) send()
    })
    send()
    return one
  }
  return { app, hammer, paused: () => sockets.filter(socket => socket.isPaused()).length }
}

t.test('about a hundred requests a second are read of those that are refused', async t => {
  const { hammer, paused } = await stage(t)
  const began = performance.now()
  const all = await Promise.all(Array.from({ length: 20 }, () => hammer('/busy')))
  await until(
    () => all.reduce((sum, one) => sum + one.answers, 0) > 160,
    () => 'more than the first hundred',
  )
  await until(
    () => paused() > 15,
    () => 'paused connections',
  )
  const small = await hammer('/small', { count: 50 })
  await until(
    () => small.answers === 50,
    () => 'requests of another connection',
  )
  const seconds = (performance.now() - began) / 1000
  const answers = all.reduce((sum, one) => sum + one.answers, 0)
  // Each connection has a request of its own before it is paused for the first time.
  t.ok(answers <= 100 + 100 * (seconds + 1) + 20, `${answers} in ${seconds} s`)
  t.same(new Set(all.flatMap(one => one.statuses)), new Set(['503']))
  const before = all.map(one => one.answers)
  await until(
    () => all.every((one, i) => one.answers > before[i]!),
    () => 'each connection to be read again',
  )
  t.ok(true, 'no connection is paused for ever')
})

t.test('connections of a trusted proxy, and those of other errors, are not paused', async t => {
  const { hammer, paused } = await stage(t)
  for (const [path, from] of [
    ['/busy', '127.0.0.2'],
    ['/away', '127.0.0.1'],
  ] as const) {
    const one = await hammer(path, { from, count: 300 })
    let most = 0
    await until(
      () => {
        most = Math.max(most, paused())
        return one.answers === 300
      },
      () => `300 answers of ${path}`,
    )
    t.equal(most, 0, path)
  }
})

t.test('a server that closes reads what paused connections have sent', async t => {
  const { app, hammer, paused } = await stage(t)
  const all = await Promise.all(Array.from({ length: 10 }, () => hammer('/busy')))
  await until(
    () => paused() === 10,
    () => 'all of them to be paused',
  )
  await sleep(10)
  const before = all.map(one => one.answers)
  await app.close()
  await until(
    () => all.every((one, i) => one.answers > before[i]!),
    () => 'the last answers',
  )
  t.same(new Set(all.map(one => one.statuses.at(-1))), new Set(['503']))
})

t.test('injected requests have no connection', async t => {
  const { app } = await stage(t)
  for (let i = 0; i < 250; i++) t.equal((await app.inject('/busy')).statusCode, 503)
})
