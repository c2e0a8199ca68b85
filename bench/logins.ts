// Measures whether logins slow down other requests: S2 arrives at a fixed rate, far below what the server can do, with and
// without two logins a second. `node logins.ts` measures this part alone.

import { Agent, request as send } from 'node:http'
import { PASSWORD, readers, sentBy, stranger } from './callers.ts'
import { preparePlinth } from './data/prepare.ts'
import { load } from './load.ts'
import { WARM_UP } from './options.ts'
import { table } from './report.ts'
import { createScenarios, type Request } from './scenarios.ts'
import { type Server, startServer } from './server.ts'
import type { Store } from './store/store.ts'
import { reachStores } from './store/stores.ts'
import { quantile, SITTINGS } from './turns.ts'

/** Requests of S2 per second. */
const RATE = Number(process.env.RATE ?? 300)

/** Logins per second. */
const LOGINS = Number(process.env.LOGINS ?? 2)

/** Seconds of a quiet part, and of one with logins. */
const SECONDS = Number(process.env.LOGIN_SECS ?? 10)

const PARTS = ['quiet', 'logins'] as const
type Part = (typeof PARTS)[number]

const LOGIN: Request = {
  method: 'POST',
  path: '/api/auth/local',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ identifier: `user-${readers[0]!.id}`, password: PASSWORD }),
}

export const loginsAbout = `S2 with a rule as above ("scalar"), ${RATE} requests a second at fixed times, whether or not earlier ones are answered;
${SECONDS} s without logins and ${SECONDS} s with ${LOGINS} logins a second, in turn, ${SITTINGS} times. p50 and p99: milliseconds of S2 from sending to the end of
the answer, the medians of the turns. Ratio: p99 with logins divided by p99 without, the median of the turns and, in parentheses,
the lowest and the highest. Late: how much later than planned the load generator sent a request, in milliseconds, p99.`

/** The latencies of one part, in milliseconds. */
interface Latencies {
  readonly p50: number
  readonly p99: number
  readonly late: number
  /** Median milliseconds of a login; null without logins. */
  readonly login: number | null
}

/** A table of the measurements. */
export async function measureLogins(store: Store): Promise<string> {
  const ids = await preparePlinth(store, 'scalar', 'scalar', [...readers, stranger])
  const scenario = createScenarios(store.client, ids).find(({ key }) => key === 'S2')!
  const own = sentBy(readers, scenario)
  const server = await startServer('scalar', await store.copy('scalar', true), 'scalar')
  const turns: Record<Part, Latencies>[] = []
  try {
    await load(server, own, { seconds: WARM_UP })
    // The first login starts the thread that hashes.
    for (let i = 0; i < 3; i++) await timeOf(server, LOGIN)
    for (let turn = 0; turn < SITTINGS; turn++) {
      const found: Partial<Record<Part, Latencies>> = {}
      for (const part of turn % 2 === 0 ? PARTS : PARTS.toReversed())
        found[part] = await measurePart(server, own.requests, part)
      turns.push(found as Record<Part, Latencies>)
      const shown = PARTS.map(part => `${part} ${found[part]!.p99.toFixed(2)}`)
      console.error(`${store.client}: p99 ms ${shown.join(', ')}`)
    }
  } finally {
    await server.stop()
  }
  return createTable(turns)
}

async function measurePart(server: Server, requests: readonly Request[], part: Part): Promise<Latencies> {
  const [quiet, logins] = await Promise.all([
    sendAtRate(server, requests, RATE),
    part === 'logins' ? sendAtRate(server, [LOGIN], LOGINS) : null,
  ])
  return {
    p50: quantile(quiet.times, 0.5),
    p99: quantile(quiet.times, 0.99),
    late: quantile(quiet.late, 0.99),
    login: logins === null ? null : quantile(logins.times, 0.5),
  }
}

/** Sends requests at fixed times and waits for all answers. */
async function sendAtRate(server: Server, requests: readonly Request[], rate: number) {
  const late: number[] = []
  const answers: Promise<number>[] = []
  const begin = performance.now()
  for (let n = 0; n < rate * SECONDS; n++) {
    const due = begin + (n * 1000) / rate
    const wait = due - performance.now()
    if (wait > 0) await new Promise(resolve => setTimeout(resolve, wait))
    late.push(Math.max(0, performance.now() - due))
    answers.push(timeOf(server, requests[n % requests.length]!))
  }
  return { late, times: await Promise.all(answers) }
}

const agent = new Agent({ keepAlive: true })

/** The milliseconds from the sending of a request to the end of its answer. Rejects if the answer is not 200. */
function timeOf({ address }: Server, { method, path, headers, body }: Request): Promise<number> {
  return new Promise((resolve, reject) => {
    const begin = performance.now()
    const sent = send(address + path, { agent, method, headers: { ...headers } }, response => {
      response.resume()
      response.on('end', () => {
        if (response.statusCode === 200) resolve(performance.now() - begin)
        else reject(new Error(`${method} ${path}: ${response.statusCode}`))
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

function createTable(turns: readonly Record<Part, Latencies>[]): string {
  const median = (of: (turn: Record<Part, Latencies>) => number) => quantile(turns.map(of), 0.5)
  const both = (of: keyof Latencies) => PARTS.map(part => median(turn => turn[part][of]!).toFixed(2)).join(', ')
  const ratios = turns.map(({ quiet, logins }) => logins.p99 / quiet.p99)
  const row = [
    both('p50'),
    both('p99'),
    `**${quantile(ratios, 0.5).toFixed(2)}** (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`,
    both('late'),
    Math.round(median(({ logins }) => logins.login!)).toString(),
  ]
  return table([['p50: quiet, logins', 'p99: quiet, logins', 'ratio', 'late: quiet, logins', 'a login, ms'], row])
}

if (process.argv[1] === import.meta.filename) {
  for (const { store, title } of await reachStores()) {
    try {
      console.log(`${title}\n\n${await measureLogins(store)}\n`)
    } finally {
      await store.close()
    }
  }
}
