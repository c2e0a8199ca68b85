// The health checks: alive as long as the process answers, ready if requests can be answered, and no details in either.

import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { definePlugin, type Kernel } from '@plinth/kernel'
import t from 'tap'
import { createServer } from '../src/index.ts'
import { folder, memory, open, type } from './fixtures/open.ts'

const paths = ['/_health', '/_health/live', '/_health/ready']

t.test('a server without REST has them, and reads no body and no token', async t => {
  const app = await open(t)
  for (const url of paths)
    for (const method of ['GET', 'HEAD', 'POST', 'DELETE'] as const) {
      const headers = { 'content-type': 'application/json', authorization: 'Bearer x' }
      const payload = method === 'POST' ? { payload: '{' } : {}
      const answer = await app.inject({ method, url, headers, ...payload })
      t.equal(answer.statusCode, 204, `${method} ${url}`)
      t.equal(answer.payload, '')
    }
})

t.test('security.md row 86: a failing check of a plugin has no details outside', async t => {
  const lines: string[] = []
  let fault: string | null | Error = null
  let calls = 0
  const own = definePlugin({
    name: 'own',
    register: ({ kernel }) =>
      kernel.readiness.add('bucket', async () => {
        calls++
        if (fault instanceof Error) throw fault
        return fault
      }),
  })
  const stream = { write: (line: string) => void lines.push(line) }
  const app = await open(t, { plugins: { own: { plugin: own } }, logger: { level: 'info', stream } })
  const ready = async () => {
    await sleep(1100)
    return app.inject('/_health/ready')
  }
  t.equal((await ready()).statusCode, 204)
  await Promise.all(Array.from({ length: 50 }, () => app.inject('/_health/ready')))
  t.equal(calls, 1, 'requests within a second share a result')
  for (const given of ['no bucket named x', new Error('connect ECONNREFUSED 10.0.0.1')]) {
    fault = given
    const answer = await ready()
    t.equal(answer.statusCode, 503)
    t.equal(answer.headers['retry-after'], '1')
    t.same(answer.json(), {
      data: null,
      error: { status: 503, name: 'ServiceUnavailableError', message: 'Service Unavailable', details: {} },
    })
    const reason = given instanceof Error ? given.message : given
    await app.inject('/_health/ready')
    t.equal(lines.filter(line => line.includes(`not ready: bucket: ${reason}`)).length, 1, 'the reason is logged once')
  }
  t.equal((await app.inject('/_health')).statusCode, 204, 'the process is alive')
  fault = null
  t.equal((await ready()).statusCode, 204)
  t.equal(lines.filter(line => line.includes('ready again')).length, 1)
})

t.test('a check that never answers', async t => {
  const own = definePlugin({
    name: 'own',
    register: ({ kernel }) => kernel.readiness.add('never', () => new Promise(() => {})),
  })
  const app = await open(t, { plugins: { own: { plugin: own } } })
  t.equal((await app.inject('/_health/ready')).statusCode, 503)
})

t.test('a database that does not answer', async t => {
  const app = await open(t, { contentTypes: [type('tag', { label: { type: 'string' } })] })
  const kernel = (app as unknown as { kernel: Kernel }).kernel
  t.same(await kernel.readiness.faults(), [])
  await sleep(1100)
  await kernel.database.close()
  t.match(await kernel.readiness.faults(), [/^database: ./])
  t.equal((await app.inject('/_health/ready')).statusCode, 503)
  t.equal((await app.inject('/_health')).statusCode, 204)
})

t.test('a start that left steps of the migration undone', async t => {
  const dir = await folder(t, {})
  const start = async (attribute: string, lines: string[] = []) => {
    const app = await createServer({
      database: { client: 'sqlite', connection: { filename: join(dir, 'data.db') }, migrate: 'add' },
      contentTypes: [type('tag', { rank: { type: attribute } })],
      logger: { level: 'warn', stream: { write: (line: string) => void lines.push(line) } },
    })
    t.teardown(() => app.close())
    return app
  }
  const first = await start('text')
  t.equal((await first.inject('/_health/ready')).statusCode, 204)
  // No integer: a change that loses nothing is made at the start.
  await first.kernel.query('api::tag.tag').create({ data: { rank: 'first' } })
  await first.close()
  const lines: string[] = []
  const second = await start('integer', lines)
  t.equal((await second.inject('/_health/ready')).statusCode, 503)
  t.equal((await second.inject('/_health/live')).statusCode, 204)
  const [said] = lines.filter(line => line.includes('not ready'))
  t.match(said, /migrations: pending steps: retype:tags\.rank/)
  await second.close()
  const third = await start('text')
  t.equal((await third.inject('/_health/ready')).statusCode, 204, 'nothing was changed')
})

t.test('a server that is closing is not ready, but alive', async t => {
  for (const [path, status] of [
    ['/_health/live', 204],
    ['/_health/ready', 503],
  ] as const) {
    const app = await createServer({ database: memory, logger: false })
    await app.listen({ host: '127.0.0.1', port: 0 })
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
    await once(socket, 'connect')
    const answered = once(socket, 'data')
    const closed = app.close()
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`)
    t.match(String(await answered), new RegExp(`^HTTP/1.1 ${status} `), path)
    socket.destroy()
    await closed
  }
})

t.test('registrations that are refused', async t => {
  const app = await open(t)
  const { readiness } = (app as unknown as { kernel: Kernel }).kernel
  t.throws(() => readiness.add('late', () => null), { code: 'PLINTH_FROZEN' })
  const add = (...args: unknown[]) =>
    createServer({
      database: memory,
      logger: false,
      configure: kernel => (kernel.readiness.add as (...args: unknown[]) => void).apply(kernel.readiness, args),
    })
  await t.rejects(
    add('', () => null),
    { message: /name must be a text/ },
  )
  await t.rejects(add('x', 'y'), { message: /must be a function/ })
  await t.rejects(
    add('database', () => null),
    { message: /the name is taken/ },
  )
})
