/** The others: a light mix of requests, each timed. */
import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** What they noticed: milliseconds of each answer, and answers that were none. */
export interface Noticed {
  readonly times: number[]
  readonly health: number[]
  readonly statuses: Record<string, number>
}

const paths = ['/api/tags?pagination[pageSize]=5', '/api/articles/5', '/_health'] as const

/** Asks for `seconds`, one connection for each path. */
export async function askLightly(port: number, seconds: number): Promise<Noticed> {
  const noticed: Noticed = { times: [], health: [], statuses: {} }
  const end = performance.now() + 1000 * seconds
  await Promise.all(
    paths.map(async path => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      while (performance.now() < end) {
        const began = performance.now()
        const status = await statusOf(port, path, agent)
        const took = performance.now() - began
        noticed.times.push(took)
        if (path === '/_health') noticed.health.push(took)
        noticed.statuses[status] = (noticed.statuses[status] ?? 0) + 1
        await sleep(5)
      }
      agent.destroy()
    }),
  )
  return noticed
}

function statusOf(port: number, path: string, agent: Agent): Promise<string> {
  return new Promise(resolve => {
    const sent = get({ host: '127.0.0.1', port, path, agent, timeout: 60_000 }, answer => {
      answer.resume()
      answer.on('end', () => resolve(String(answer.statusCode)))
      answer.on('error', () => resolve('broken'))
    })
    sent.on('timeout', () => sent.destroy(new Error('timeout')))
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
  })
}

/** The time that this part of the answers did not take longer than. */
export function percentile(times: readonly number[], part: number): number {
  const sorted = [...times].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN
}
