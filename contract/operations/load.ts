/**
 * An application in a process of its own, and clients that keep it busy: on connections that stay open, with slow
 * requests, uploads that arrive slowly, and subscriptions. Knows nothing of what the tests expect.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { Agent, type IncomingMessage, type RequestOptions, request } from 'node:http'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '@plinth/test-tools/free-port'
import type { Test } from 'tap'

const bin = join(import.meta.dirname, '../../packages/cli/src/bin.ts')

const routes = `import { setTimeout as delay } from 'node:timers/promises'
export default {
  register({ kernel }) {
    kernel.hooks.on('onMount', app => {
      app.get('/slow', async () => { await delay(2000); return { slow: true } })
      app.get('/pid', async () => ({ pid: process.pid }))
    })
  },
}`

const note = {
  kind: 'collectionType',
  collectionName: 'notes',
  info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
  attributes: { text: { type: 'string' } },
}

const files: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({ name: 'app', type: 'module', scripts: { start: 'plinth start' } }),
  'config/plugins.json': JSON.stringify({
    rest: true,
    upload: true,
    graphql: true,
    'graphql-subscriptions': true,
  }),
  'src/index.mjs': routes,
  'src/api/note/content-types/note/schema.json': JSON.stringify(note),
}

/** A server that ends closes connections that have been idle for about so many milliseconds. */
const idleTime = 900

/**
 * A folder with an application whose `node_modules/.bin` has the command, as an installation makes it. `more` are further
 * files, or others of the same names.
 */
export async function application(t: Test, more: Readonly<Record<string, string>> = {}): Promise<string> {
  const data = join(import.meta.dirname, '../.data')
  await mkdir(data, { recursive: true })
  const dir = await mkdtemp(join(data, 'load-'))
  t.teardown(() => rm(dir, { recursive: true, force: true, maxRetries: 5 }))
  for (const [name, text] of Object.entries({ ...files, ...more })) {
    await mkdir(dirname(join(dir, name)), { recursive: true })
    await writeFile(join(dir, name), text)
  }
  await mkdir(join(dir, 'node_modules/.bin'), { recursive: true })
  await symlink(bin, join(dir, 'node_modules/.bin/plinth'))
  await mkdir(join(dir, 'node_modules/@plinth'))
  await symlink(join(import.meta.dirname, '../../packages/cli'), join(dir, 'node_modules/@plinth/cli'))
  return dir
}

/** A program that serves an application, and how it ended. */
export interface Served {
  readonly process: ChildProcess
  readonly port: number
  /** The exit code, or the signal. */
  readonly ended: Promise<number | string>
  text(): string
}

/** Starts a program in a folder of `application`, in a process group of its own, and waits until it answers. */
export async function serve(
  t: Test,
  dir: string,
  [program, ...words]: readonly [string, ...string[]],
): Promise<Served> {
  const port = await freePort()
  // Where tests have their databases: on a disk, a commit may wait for what other tests write.
  const data = await mkdtemp(join(tmpdir(), 'load-'))
  t.teardown(() => rm(data, { recursive: true, force: true, maxRetries: 5 }))
  const env = {
    ...process.env,
    // The version of Node of the tests, also for programs that look for it.
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
    NODE_OPTIONS: '',
    PORT: String(port),
    LOG_LEVEL: 'warn',
    DATABASE_CLIENT: 'sqlite',
    DATABASE_FILENAME: join(data, 'data.db'),
  }
  const child = spawn(program, words, { cwd: dir, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      text += chunk
    })
  const ended = once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | string)
  t.teardown(() => {
    try {
      process.kill(-child.pid!, 'SIGKILL')
    } catch {
      // Nothing of the group is left.
    }
  })
  for (let i = 0; i < 1200; i++) {
    if (await answers(port)) return { process: child, port, ended, text: () => text }
    await delay(50)
  }
  throw new Error(`It does not answer: ${text}`)
}

/** Whether a server answers at a port. */
export async function answers(port: number): Promise<boolean> {
  return ask({ port, path: '/_health/live', agent: false }).then(
    ({ status }) => status === 204,
    () => false,
  )
}

interface Reply {
  readonly status: number
  readonly body: string
  readonly headers: IncomingMessage['headers']
}

/**
 * The last two ticks of a timer, as of performance.now(). The event loop reads sockets after each tick, so what it reads now
 * arrived after the first of the two. They are far apart if this process was kept from running.
 */
const ticks = { first: performance.now(), second: performance.now() }
setInterval(() => {
  ticks.first = ticks.second
  ticks.second = performance.now()
}, 20).unref()

/** The time of the last answer on a connection, at the earliest, as of performance.now(). */
const answeredAt = new WeakMap<Socket, number>()

/** Sends a request. `write` sends the body; without it there is none. */
export function ask(
  options: RequestOptions,
  write?: (to: ReturnType<typeof request>) => Promise<void>,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    let isLate = false
    const sent = request({ host: '127.0.0.1', ...options }, response => {
      answeredAt.set(response.socket, ticks.first)
      const chunks: Buffer[] = []
      response.on('data', chunk => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () => {
        if (!response.complete) return reject(new Error('the answer was cut'))
        const { statusCode = 0, headers } = response
        resolve({ status: statusCode, headers, body: Buffer.concat(chunks).toString() })
      })
    })
    sent.once('socket', socket => {
      isLate = performance.now() - (answeredAt.get(socket) ?? Number.POSITIVE_INFINITY) > idleTime
    })
    sent.once('error', error => reject(Object.assign(error, { isReused: sent.reusedSocket, isLate })))
    if (write === undefined) sent.end()
    else write(sent).catch(reject)
  })
}

/** What became of the requests of a load. */
export interface Outcome {
  answered: number
  /** Requests on connections that had answered in the last second, and requests that were answered with an error. */
  readonly lost: string[]
  /** First requests on new connections, which the system had accepted and no process yet. */
  readonly unseen: string[]
  /** Requests of a client that was so busy that its connection had been idle for a second. */
  readonly late: string[]
}

/** The error of a request, and how its connection was. */
type LoadError = NodeJS.ErrnoException & { readonly isReused?: boolean; readonly isLate?: boolean }

/** Whether there was no connection: it was refused, or reset before it was made. */
const isRefusal = (error: unknown) => (error as NodeJS.ErrnoException).syscall === 'connect'

/** Clients that send request after request on connections that stay open, until new connections are refused. */
export async function hammer(port: number, clients: number, isOver: () => boolean): Promise<Outcome> {
  const outcome: Outcome = { answered: 0, lost: [], unseen: [], late: [] }
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const paths = ['/api/notes', '/api/notes?filters[text]=a', '/graphql?query={notes{data{id}}}']
  const client = async (first: number) => {
    for (let i = first; !isOver(); i++) {
      const path = paths[i % paths.length]!
      try {
        const { status, body } = await ask({ port, path, agent })
        if (status === 200) outcome.answered++
        else outcome.lost.push(`${path}: ${status} ${body}`)
      } catch (error) {
        // No server has seen a request that has no connection.
        if (isRefusal(error)) return
        const { code = '', message, isReused, isLate } = error as LoadError
        outcome[isLate ? 'late' : isReused ? 'lost' : 'unseen'].push(`${path}: ${code} ${message}`)
        return
      }
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, i) => client(i)))
  agent.destroy()
  return outcome
}

/** A request whose sender knows when a server has begun to read it. */
export interface Begun {
  readonly begun: Promise<void>
  readonly reply: Promise<Reply>
}

/** Sends a request as `ask` does; the server's `100 Continue` shows that a process has accepted its connection. */
export function begin(options: RequestOptions, write?: (to: ReturnType<typeof request>) => Promise<void>): Begun {
  const { promise, resolve } = Promise.withResolvers<void>()
  const headers = { ...options.headers, expect: '100-continue' }
  const reply = ask({ ...options, headers, agent: false }, async sent => {
    sent.flushHeaders()
    await once(sent, 'continue')
    resolve()
    if (write === undefined) sent.end()
    else await write(sent)
  })
  return { begun: Promise.race([promise, reply.then(() => undefined)]), reply }
}

/** Uploads a file, whose parts arrive during `time` milliseconds. */
export function uploadSlowly(port: number, time: number): Begun {
  const head =
    '--b\r\ncontent-disposition: form-data; name="files"; filename="a.txt"\r\ncontent-type: text/plain\r\n\r\n'
  const headers = { 'content-type': 'multipart/form-data; boundary=b' }
  return begin({ port, path: '/api/upload', method: 'POST', headers }, async to => {
    to.write(head)
    for (let i = 0; i < 10; i++) {
      to.write('x'.repeat(10_000))
      await delay(time / 10)
    }
    to.end('\r\n--b--\r\n')
  })
}

/** Subscribes, and resolves when the subscription is there; `closed` tells the code with which the connection ends. */
export async function subscribe(port: number): Promise<{ readonly closed: Promise<number> }> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws')
  const closed = new Promise<number>(resolve => socket.addEventListener('close', ({ code }) => resolve(code)))
  await new Promise(resolve => socket.addEventListener('open', resolve))
  const acknowledged = new Promise(resolve => socket.addEventListener('message', resolve, { once: true }))
  socket.send(JSON.stringify({ type: 'connection_init' }))
  await acknowledged
  const payload = { query: 'subscription { notesChanged { id } }' }
  socket.send(JSON.stringify({ type: 'subscribe', id: '1', payload }))
  return { closed }
}
