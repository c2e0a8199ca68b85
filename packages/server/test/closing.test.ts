// A server closes within ten seconds, with any connections and requests.

import { spawn } from 'node:child_process'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { definePlugin, type PluginDefinition } from '@plinth/kernel'
import t, { type Test } from 'tap'
import { createServer } from '../src/index.ts'

const memory = { client: 'sqlite', connection: { filename: ':memory:' } }

/** A server, a connection that says this, and how long the server takes to close then, in milliseconds. */
async function closing(t: Test, said: string, more: Partial<PluginDefinition> = {}) {
  const own = definePlugin({
    name: 'own',
    register: ({ kernel }) =>
      kernel.hooks.on('onMount', app => {
        app.all('/quick', async () => 'quick')
        app.get('/slow', async () => sleep(1500, 'slow'))
        app.get('/large', async () => 'x'.repeat(50 * 1024 * 1024))
      }),
    ...more,
  })
  const app = await createServer({ database: memory, plugins: { own: { plugin: own } }, logger: false })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1', () => socket.write(said))
  t.teardown(() => socket.destroy())
  socket.on('error', () => {})
  let received = ''
  if (said.includes('/large')) socket.pause()
  else
    socket.on('data', chunk => {
      received += chunk
    })
  await sleep(300)
  const began = performance.now()
  const closed = await Promise.race([app.close().then(() => true), sleep(12_000, false, { ref: false })])
  const took = performance.now() - began
  // What was sent last may not have been read yet.
  await sleep(200)
  return { closed, took, received }
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`

t.test('idle and slow connections are closed', async t => {
  const cases: Readonly<Record<string, readonly [said: string, most: number]>> = {
    nothing: ['', 7000],
    'half a head': ['GET /quick HTTP/1.1\r\nhost: x\r\n', 7000],
    'nothing after an answer': [get('/quick'), 7000],
    'half a body': [
      'POST /quick HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{',
      10_000,
    ],
    'a download that is not read': [get('/large'), 10_000],
  }
  await Promise.all(
    Object.entries(cases).map(async ([name, [said, most]]) => {
      const { closed, took } = await closing(t, said)
      t.ok(closed && took < most, name, { closed, took })
    }),
  )
})

t.test('a running request is answered', async t => {
  const { closed, took, received } = await closing(t, get('/slow'))
  t.ok(closed && took < 7000, 'and not waited for any longer', { closed, took })
  t.match(received, /^HTTP\/1.1 200 OK[\s\S]*slow$/)
})

t.test('a request that arrives while the process has no processor is answered', async t => {
  const own = definePlugin({
    name: 'own',
    register: ({ kernel }) => kernel.hooks.on('onMount', app => void app.get('/quick', async () => 'quick')),
  })
  const app = await createServer({ database: memory, plugins: { own: { plugin: own } }, logger: false })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  let received = ''
  socket.on('data', chunk => {
    received += chunk
  })
  socket.write(get('/quick'))
  while (!received.endsWith('quick')) await sleep(10)
  const closed = app.close()
  await sleep(300)
  received = ''
  socket.write(get('/quick'))
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500)
  await closed
  // What was sent last may not have been read yet.
  await sleep(200)
  t.match(received, /^HTTP\/1.1 200 OK[\s\S]*connection: close[\s\S]*quick$/i)
})

t.test('no connection is reset while clients connect again after each answer', async t => {
  const app = await createServer({ database: memory, logger: false })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const outcomes = { answered: 0, refused: 0 }
  const failures: string[] = []
  const ask = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(get('/_health/live')))
      socket.once('data', () => {
        socket.destroy()
        resolve()
      })
      socket.once('error', reject)
      socket.once('end', () => reject(new Error('the connection ended without an answer')))
    })
  const client = async () => {
    for (;;) {
      try {
        await ask()
        outcomes.answered++
      } catch (error) {
        const { message, syscall } = error as NodeJS.ErrnoException
        if (syscall === 'connect') outcomes.refused++
        else failures.push(message)
        return
      }
    }
  }
  const clients = Promise.all(Array.from({ length: 20 }, client))
  while (outcomes.answered < 100) await sleep(5)
  await app.close()
  await clients
  t.same(failures, [])
  t.equal(outcomes.refused, 20, `after ${outcomes.answered} answers`)
})

t.test('a plugin that does not end is not waited for', async t => {
  let end = () => {}
  const destroy = () =>
    new Promise<void>(resolve => {
      end = resolve
    })
  const { closed, took } = await closing(t, '', { destroy })
  end()
  t.ok(closed && took < 11_000, 'is left behind', { closed, took })
})

t.test('a program ends at SIGTERM', async t => {
  const { href } = pathToFileURL(join(import.meta.dirname, '../src/index.ts'))
  const text = `import { createServer, stopOnSignals } from ${JSON.stringify(href)}
    const app = await createServer({ database: ${JSON.stringify(memory)}, logger: false })
    stopOnSignals(app)
    setInterval(() => {}, 1000)
    await app.listen({ host: '127.0.0.1', port: 0 })
    console.log(app.server.address().port)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', text], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.teardown(() => child.kill('SIGKILL'))
  const port = Number(await new Promise(resolve => child.stdout.once('data', resolve)))
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  t.teardown(() => socket.destroy())
  await new Promise(resolve => socket.once('connect', resolve))
  const ended = new Promise(resolve => child.once('exit', (code, signal) => resolve({ code, signal })))
  child.kill('SIGTERM')
  t.same(await Promise.race([ended, sleep(10_000, 'late', { ref: false })]), { code: 0, signal: null })
})
