/**
 * What one client can do to the others by few or short requests that are expensive. `fork('attacks.ts', [port, name])`
 * runs one attack until it receives a message. The process has a low priority, because a real attacker does not use the
 * processor of the server.
 */

import { request } from 'node:http'
import { connect } from 'node:net'
import { setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

/** A request of an attack, by its number on one of its connections. */
interface Sent {
  readonly method?: 'GET' | 'PUT'
  readonly path: string
  readonly body?: unknown
}

/**
 * An attack: a number of connections, each of which sends one request after the other, or bytes that are sent without
 * reading the response.
 */
export interface Attack {
  readonly connections: number
  readonly send?: (connection: number, n: number) => Sent
  /** Milliseconds between a response and the next request; 0 if it is not set. */
  readonly pause?: number
  readonly bytes?: string
  /** Whether another process holds the lock of a row during the attack. */
  readonly locksRow?: boolean
}

const alternatives = (count: number, n: number) =>
  Array.from({ length: count }, (_, i) => `filters[$or][${i}][body][$containsi]=z${n}-${i}`).join('&')

const list = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`

export const attacks: Readonly<Record<string, Attack>> = {
  'up and down a relation': {
    connections: 2,
    send: () => ({ path: `/api/tags?populate=${Array(5).fill('articles.tags').join('.')}&pagination[pageSize]=1` }),
  },
  'long query strings': {
    connections: 2,
    send: (c, n) => ({
      path: `/api/tags?z${c}-${n}=1&${Array.from({ length: 990 }, (_, k) => `a[${k % 100}][${k}]=`).join('&')}`,
    }),
  },
  'requests without reading': { connections: 20, bytes: list('/api/articles?pagination[pageSize]=100').repeat(900) },
  'a sort through two relations': {
    connections: 10,
    send: () => ({ path: '/api/articles?sort=tags.articles.body&pagination[pageSize]=1' }),
  },
  '200 times $containsi': { connections: 2, send: (_, n) => ({ path: `/api/articles?${alternatives(200, n)}` }) },
  'a filter through ten relations': {
    connections: 2,
    send: (_, n) => ({ path: `/api/articles?filters${'[tags][articles]'.repeat(5)}[body][$containsi]=z${n}` }),
  },
  '20 publications at once': {
    connections: 20,
    pause: 100,
    send: (c, n) => ({
      method: 'PUT',
      path: `/api/articles/${101 + c}`,
      body: { data: { publishedAt: n % 2 === 0 ? null : '2024-01-01T00:00:00.000Z' } },
    }),
  },
  'a row that is locked': {
    connections: 10,
    locksRow: true,
    send: () => ({ method: 'PUT', path: '/api/articles/100', body: { data: { title: 'Changed' } } }),
  },
}

/** The status of the response, or the code of the error. */
function ask(port: number, { method = 'GET', path, body }: Sent, signal: AbortSignal): Promise<string> {
  return new Promise(resolve => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' }
    const sent = request({ host: '127.0.0.1', port, method, path, headers, signal }, answer => {
      answer.resume()
      answer.on('end', () => resolve(String(answer.statusCode)))
      answer.on('error', () => resolve('broken'))
    })
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

/** Runs an attack until the parent sends a message, and sends it the number of responses by status. */
async function attack(port: number, { connections, send, pause, bytes }: Attack): Promise<void> {
  const answers: Record<string, number> = {}
  const note = (what: string) => {
    answers[what] = (answers[what] ?? 0) + 1
  }
  const end = new AbortController()
  process.once('message', () => end.abort())
  const isOver = () => end.signal.aborted
  const ring = async (connection: number) => {
    for (let n = 0; send !== undefined && !isOver(); n++) {
      const status = await ask(port, send(connection, n), end.signal)
      if (!isOver()) note(status)
      if (pause !== undefined) await sleep(pause)
    }
  }
  // A client that does not read is not notified that its connection was closed, so it connects again after a while.
  const pour = async () => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes!))
    socket.pause()
    socket.on('error', () => {})
    await sleep(2000)
    note('sent')
    socket.destroy()
  }
  const pourOn = async () => {
    while (!isOver()) await pour()
  }
  await Promise.all(Array.from({ length: connections }, (_, i) => (bytes === undefined ? ring(i) : pourOn())))
  process.send!(answers)
}

if (process.argv[1] === import.meta.filename) {
  setPriority(15)
  const [port, name] = process.argv.slice(2)
  await attack(Number(port), attacks[name!]!)
  process.disconnect()
}
