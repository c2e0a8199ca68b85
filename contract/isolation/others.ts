/** The others: eight clients with a light mix of requests, one in four of them a write, each timed. */
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** What they noticed: milliseconds of each answer, and answers that were none. */
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

/** What each connection asks for, again and again. */
const connections = [list, one, list, create, list, one, list, create, health]

/** Asks for `seconds`, on one connection each. */
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

/** The time that this part of the answers did not take longer than. */
export function percentile(times: readonly number[], part: number): number {
  const sorted = [...times].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN
}
