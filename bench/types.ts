// Measures what content types cost: the start and the memory of 10, 200 and 1,000 of them, and requests for one type beside
// requests for many in turn, by REST and GraphQL. Writes types.md; with TYPES, prints it. SQLite.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { post } from './graphql-scenarios.ts'
import { load, type Sample } from './load.ts'
import { CONNECTIONS, WARM_UP } from './options.ts'
import { commit, machine, table } from './report.ts'
import type { Request, Scenario } from './scenarios.ts'
import { cpuMicroseconds, residentMebibytes, type Server } from './server.ts'
import { ROUND_SECONDS, ROUNDS } from './turns.ts'
import { fillApplication, nameOf, writeApplication } from './types-app.ts'

/** The numbers of types. */
const COUNTS = (process.env.TYPES ?? '10,200,1000').split(',').map(Number)

/** The most types that are requested. */
const USED = Number(process.env.USED ?? 200)

const PROGRAM = new URL('./types-app.ts', import.meta.url).pathname

const get = (path: string): Request => ({ method: 'GET', path })

/** Requests for one type by REST: nine shapes, which have about 20 statements. */
const restOf = (name: string): readonly Request[] =>
  [
    '/1',
    '?pagination[pageSize]=10',
    '/1?populate=*',
    '?populate=next&pagination[pageSize]=10',
    '?populate=before&pagination[pageSize]=10',
    '?populate=seo&fields=title&pagination[pageSize]=10',
    '?filters[views][$gt]=5&sort=views:desc&pagination[pageSize]=10',
    '?filters[next][title]=Thing%203&pagination[pageSize]=10',
    '?sort=slug&fields=title&pagination[pageSize]=10',
  ].map(rest => get(`/api/${name}s${rest}`))

/** Requests for one type by GraphQL. */
const graphqlOf = (name: string): readonly Request[] =>
  [
    `{ ${name}(id: 1) { data { id attributes { title slug views seo { metaTitle } } } } }`,
    `{ ${name}s(pagination: { pageSize: 10 }) { data { id attributes { title summary extra } } meta { pagination { total } } } }`,
    `{ ${name}s(pagination: { pageSize: 10 }) { data { attributes { title next { data { id attributes { title } } } } } } }`,
  ].map(text => post('/graphql', text))

/** The requests of the first `used` types, one type after the other. */
function scenarioOf(key: string, used: number, count: number, requestsOf: typeof restOf): Scenario {
  const requests = Array.from({ length: used }, (_, n) => requestsOf(nameOf(n, count))).flat()
  return { key, name: key, requests }
}

interface Started extends Server {
  /** Milliseconds until it listens, and the processor time in milliseconds. */
  readonly start: number
  readonly startCpu: number
}

async function start(dir: string): Promise<Started> {
  const child = spawn(process.execPath, [PROGRAM, dir], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const ended = once(child, 'exit')
  const [message] = await Promise.race([once(child, 'message'), ended])
  if (typeof message?.address !== 'string') throw new Error('The server ended instead of listening')
  const pid = child.pid!
  return {
    address: message.address,
    pid,
    start: message.start,
    startCpu: cpuMicroseconds(pid) / 1000,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

const median = (samples: readonly Sample[], member: 'cpuMicroseconds' | 'requestsPerSecond') =>
  samples.map(sample => sample[member]).toSorted((a, b) => a - b)[samples.length >> 1]!

const whole = (value: number) => Math.round(value).toLocaleString('en')

/** A row of each table. */
interface Rows {
  readonly start: readonly string[]
  readonly requests: readonly string[]
}

async function measure(count: number): Promise<Rows> {
  const used = Math.min(USED, count)
  const dir = mkdtempSync(join(tmpdir(), 'plinth-bench-types-'))
  try {
    writeApplication(dir, count)
    const first = await fillApplication(dir, count, used)
    const server = await start(dir)
    try {
      const idle = residentMebibytes(server.pid)
      const scenarios = [
        scenarioOf('REST, one type', 1, count, restOf),
        scenarioOf('REST, all', used, count, restOf),
        scenarioOf('GraphQL, one type', 1, count, graphqlOf),
        scenarioOf('GraphQL, all', used, count, graphqlOf),
      ]
      const samples = scenarios.map(() => [] as Sample[])
      for (const scenario of scenarios) await load(server, scenario, { seconds: WARM_UP })
      for (let round = 0; round < ROUNDS; round++) {
        for (const [at, scenario] of scenarios.entries())
          samples[at]!.push(await load(server, scenario, { seconds: ROUND_SECONDS }))
      }
      const cells = samples.map(
        one => `${whole(median(one, 'cpuMicroseconds'))} (${whole(median(one, 'requestsPerSecond'))})`,
      )
      console.error(`${count} types: ${cells.join(', ')}`)
      return {
        start: [whole(count), whole(first), whole(server.start), whole(server.startCpu), `${idle.toFixed(0)}`],
        requests: [whole(count), whole(used), ...cells, residentMebibytes(server.pid).toFixed(0)],
      }
    } finally {
      await server.stop()
    }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

const rows: Rows[] = []
for (const count of COUNTS) rows.push(await measure(count))

const startHead = ['types', 'first start, ms', 'later start, ms', 'its CPU, ms', 'memory then, MiB']
const requestHead = ['types', 'used', 'REST, one type', 'REST, all', 'GraphQL, one type', 'GraphQL, all', 'memory, MiB']
const report = `# What content types cost

Written by \`pnpm --filter bench types-in-use\`.

- Commit: ${commit()}
- Machine: ${machine()}
- Node ${process.version}, SQLite; types of 11 attributes with a component, a file, drafts, and a relation to the next type in
  both directions; plugins for REST, GraphQL, drafts and files; ${CONNECTIONS} connections

## Start

The first start makes the tables; the memory is that of the process when it listens. The later start and its processor time
include the modules.

${table([startHead, ...rows.map(row => row.start)])}

## Requests

Processor time of the server in microseconds a request, and in parentheses requests per second: medians of ${ROUNDS} rounds of
${ROUND_SECONDS} s, in turn. Nine shapes of requests by REST, three by GraphQL; "all": of each used type, one type after the other.

${table([requestHead, ...rows.map(row => row.requests)])}
`
console.log(report)
if (process.env.TYPES === undefined) writeFileSync(new URL('types.md', import.meta.url), report)
