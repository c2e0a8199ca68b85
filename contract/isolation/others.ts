/**
 * The clients that are measured: eight, with a mix of cheap requests, of which one in four is a write. Each request is
 * timed.
 */

import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** The result: the milliseconds of each response, and the number of requests without one. */
export interface Noticed {
  readonly times: number[]
  readonly health: number[]
  readonly statuses: Record<string, number>
}

interface Asked {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: string
}

const list: Asked = { method: 'GET', path: '/api/tags?pagination[pageSize]=5' }
const one: Asked = { method: 'GET', path: '/api/articles/5' }
const create: Asked = { method: 'POST', path: '/api/tags', body: JSON.stringify({ data: { label: 'x' } }) }
const health: Asked = { method: 'GET', path: '/_health' }

/** The requests that each connection repeats. */
const connections = [list, one, list, create, list, one, list, create, health]

/** Sends requests for `seconds`, each client on one connection. */
export async function askLightly(port: number, seconds: number): Promise<Noticed> {
  const noticed: Noticed = { times: [], health: [], statuses: {} }
  const end = performance.now() + 1000 * seconds
  await Promise.all(
    connections.map(async asked => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      while (performance.now() < end) {
        const began = performance.now()
        const status = await statusOf(port, asked, agent)
        const took = performance.now() - began
        const times = asked === health ? noticed.health : noticed.times
        times.push(took)
        noticed.statuses[status] = (noticed.statuses[status] ?? 0) + 1
        await sleep(2)
      }
      agent.destroy()
    }),
  )
  return noticed
}

function statusOf(port: number, { method, path, body }: Asked, agent: Agent): Promise<string> {
  return new Promise(resolve => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' }
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent, timeout: 60_000 }, answer => {
      answer.resume()
      answer.on('end', () => resolve(String(answer.statusCode)))
      answer.on('error', () => resolve('broken'))
    })
    sent.on('timeout', () => sent.destroy(new Error('timeout')))
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    sent.end(body)
  })
}

/** The percentile of the times: this share of the responses took no longer. */
export function percentile(times: readonly number[], part: number): number {
  const sorted = [...times].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN
}
