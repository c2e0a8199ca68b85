// Loads a server with one scenario and measures it.

import { createHistogram } from 'node:perf_hooks'
import autocannon, { type Result } from 'autocannon'
import { CONNECTIONS } from './options.ts'
import type { Scenario } from './scenarios.ts'
import { cpuMicroseconds, type Server } from './server.ts'

export interface Sample {
  readonly requestsPerSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  readonly cpuMicroseconds: number
}

/** How long a server is loaded, and by how many connections. */
interface Load {
  readonly seconds: number
  readonly connections?: number
}

export async function load(server: Server, scenario: Scenario, how: Load): Promise<Sample> {
  const latencies = createHistogram()
  const before = cpuMicroseconds(server.pid)
  const onLatency = (milliseconds: number) => latencies.record(Math.max(1, Math.round(milliseconds * 1000)))
  const result = await run(server.address, scenario, { ...how, onLatency })
  const failures = result.non2xx + result.errors
  if (failures > 0) throw new Error(`${scenario.key}: ${failures} of ${result.requests.total} requests failed`)
  return {
    requestsPerSecond: result.requests.total / result.duration,
    p50: latencies.percentile(50) / 1000,
    p99: latencies.percentile(99) / 1000,
    cpuMicroseconds: (cpuMicroseconds(server.pid) - before) / result.requests.total,
  }
}

/** autocannon's percentiles are whole milliseconds, which is too coarse for requests that take half of one. */
function run(address: string, scenario: Scenario, how: Load & { readonly onLatency: (milliseconds: number) => void }) {
  const { seconds, connections = CONNECTIONS, onLatency } = how
  return new Promise<Result>((resolve, reject) => {
    let number = 0
    const { isNumbered, numberedBody } = scenario
    const numbered = (request: { path?: string }) => ({ ...request, path: `${request.path}${++number}` })
    const withBody = (request: object) => ({ ...request, body: numberedBody!(++number) })
    const requests = scenario.requests.map(request => ({
      ...request,
      ...(isNumbered === true && { setupRequest: numbered }),
      ...(numberedBody !== undefined && { setupRequest: withBody }),
    }))
    const instance = autocannon(
      { url: address, connections, duration: seconds, requests },
      (error: Error | null, result) => (error === null ? resolve(result) : reject(error)),
    )
    instance.on('response', (_client, _status, _bytes, milliseconds) => onLatency(milliseconds))
  })
}
