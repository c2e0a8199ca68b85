// Profiles one scenario: `DATABASES=postgres node profile.ts S1 [plinth|limit]` loads the server under V8's profiler
// and prints microseconds per request. The profile is kept in .data/profiles for a viewer. Time in native code (SQLite,
// the socket) is counted for the function that called it.

import { globSync, readFileSync, rmSync } from 'node:fs'
import { prepareGraphql, prepareStore } from './data/prepare.ts'
import { createGraphqlScenarios, type GraphqlKey } from './graphql-scenarios.ts'
import { load } from './load.ts'
import { PLUGINS, SECONDS, WARM_UP } from './options.ts'
import { createScenarios, type Scenario, writes } from './scenarios.ts'
import { startServer } from './server.ts'
import type { Side } from './store/store.ts'
import { firstStore } from './store/stores.ts'

interface Frame {
  readonly functionName: string
  readonly url: string
  readonly lineNumber: number
}

interface Profile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: Frame; readonly children?: readonly number[] }[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
  readonly startTime: number
  readonly endTime: number
}

const SHOWN = 30
const FOLDER = new URL('./.data/profiles/', import.meta.url).pathname
const WAITING = ['(idle)', '(root)', '(program)']

const [key = 'S1', side = 'plinth'] = process.argv.slice(2) as [string?, Side?]
const store = await firstStore()
const isGraphql = key.startsWith('S8')
const scenario = await prepareScenario()
if (scenario === undefined) throw new Error(`There is no scenario "${key}"`)
rmSync(FOLDER, { recursive: true, force: true })
const place = isGraphql && side === 'plinth' ? 'graphql' : side
const target = { ...(await store.copy(place, writes(scenario))), rememberTotals: scenario.remembersTotals ?? false }
const plugins = isGraphql ? (key === 'S8x' ? 'extended' : 'graphql') : PLUGINS
const server = await startServer(side, target, plugins, {
  nodeOptions: ['--cpu-prof', `--cpu-prof-dir=${FOLDER}`],
})
await load(server, scenario, { seconds: WARM_UP })
const { requestsPerSecond } = await load(server, scenario, { seconds: SECONDS })
await server.stop()
await store.close()
const profile: Profile = JSON.parse(readFileSync(globSync(`${FOLDER}*.cpuprofile`)[0]!, 'utf8'))

console.log(`${key} ${scenario.name}, ${side}: ${Math.round(requestsPerSecond)} requests a second under the profiler`)
console.log('Microseconds per request')
printTimes('Self, by file', frame => [fileOf(frame)], false)
printTimes('Self, by function', frame => [functionOf(frame)], false)
printTimes('With callees, functions of this repository', frame => (isOurs(frame) ? [functionOf(frame)] : []), true)

async function prepareScenario(): Promise<Scenario | undefined> {
  if (!isGraphql) {
    return createScenarios(store.client, await prepareStore(store, PLUGINS), PLUGINS === 'media').find(
      candidate => candidate.key === key,
    )
  }
  await prepareGraphql(store)
  return createGraphqlScenarios(side === 'limit' ? '/jit' : '/graphql')[key as GraphqlKey]
}

/** Sums the time of samples by the names of their frame, or of all frames of their stack. */
function printTimes(title: string, namesOf: (frame: Frame) => readonly string[], withCallees: boolean): void {
  const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]))
  const parents = new Map(profile.nodes.flatMap(({ id, children = [] }) => children.map(child => [child, id])))
  const times = new Map<string, number>()
  // The boot and the warm-up come before the measured seconds.
  const from = profile.endTime - SECONDS * 1e6
  let at = profile.startTime
  profile.samples.forEach((sample, index) => {
    const duration = profile.timeDeltas[index]!
    at += duration
    if (at < from || WAITING.includes(frames.get(sample)!.functionName)) return
    const names = new Set<string>()
    for (let id: number | undefined = sample; id !== undefined; id = withCallees ? parents.get(id) : undefined) {
      for (const name of namesOf(frames.get(id)!)) names.add(name)
    }
    for (const name of names) times.set(name, (times.get(name) ?? 0) + duration)
  })
  console.log(`\n${title}`)
  const requests = requestsPerSecond * SECONDS
  for (const [name, time] of [...times].sort((a, b) => b[1] - a[1]).slice(0, SHOWN)) {
    console.log(`${(time / requests).toFixed(1).padStart(8)}  ${name}`)
  }
}

function isOurs({ url }: Frame): boolean {
  return url !== '' && !url.startsWith('node:') && !url.includes('/node_modules/')
}

function functionOf(frame: Frame): string {
  const name = frame.functionName || '(anonymous)'
  return frame.url === '' ? name : `${name}  ${fileOf(frame)}:${frame.lineNumber + 1}`
}

/** A path such as `packages/kernel/src/read/engine.ts` or `knex/lib/client.js`. */
function fileOf({ url, functionName }: Frame): string {
  if (url === '') return functionName || '(native)'
  if (url.includes('/node_modules/')) return url.slice(url.lastIndexOf('/node_modules/') + '/node_modules/'.length)
  return url.replace(new URL('..', import.meta.url).href, '')
}
