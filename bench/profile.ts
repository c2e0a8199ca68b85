// Where Plinth's time goes in one scenario: `node profile.ts S1 [plinth|limit]` loads the server under V8's profiler and
// prints the self time of files and of functions. The profile itself stays in .data/profiles for a viewer.
import { globSync, readFileSync, rmSync } from 'node:fs'
import { prepareDatabases, type Side } from './data/prepare.ts'
import { load } from './load.ts'
import { DRAFTS, SECONDS, WARM_UP } from './options.ts'
import { createScenarios } from './scenarios.ts'
import { startServer } from './server.ts'

interface Profile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  }[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

const SHOWN = 30
const FOLDER = new URL('./.data/profiles/', import.meta.url).pathname

const [key = 'S1', side = 'plinth'] = process.argv.slice(2) as [string?, Side?]
const scenario = createScenarios(await prepareDatabases(DRAFTS)).find(candidate => candidate.key === key)
if (scenario === undefined) throw new Error(`no scenario ${key}`)
rmSync(FOLDER, { recursive: true, force: true })
const server = await startServer(side, DRAFTS, ['--cpu-prof', `--cpu-prof-dir=${FOLDER}`])
await load(server, scenario, WARM_UP)
const { requestsPerSecond } = await load(server, scenario, SECONDS)
await server.stop()
const profile: Profile = JSON.parse(readFileSync(globSync(`${FOLDER}*.cpuprofile`)[0]!, 'utf8'))

console.log(`${key} ${scenario.name}, ${side}: ${Math.round(requestsPerSecond)} requests a second under the profiler`)
print('By file', ({ functionName, url }) => (url === '' ? functionName || '(native)' : placeOf(url)))
print('By function', ({ functionName, url, lineNumber }) =>
  url === '' ? functionName || '(native)' : `${functionName || '(anonymous)'}  ${placeOf(url)}:${lineNumber + 1}`,
)

/** Self time by a name of each call frame, as a share of the time that was not idle. */
function print(title: string, nameOf: (frame: Profile['nodes'][number]['callFrame']) => string): void {
  const names = new Map(profile.nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]))
  const times = new Map<string, number>()
  profile.samples.forEach((id, index) => {
    const name = names.get(id)!
    times.set(name, (times.get(name) ?? 0) + profile.timeDeltas[index]!)
  })
  for (const waiting of ['(idle)', '(root)', '(program)']) times.delete(waiting)
  const all = [...times.values()].reduce((sum, time) => sum + time, 0)
  console.log(`\n${title}`)
  for (const [name, time] of [...times].sort((a, b) => b[1] - a[1]).slice(0, SHOWN)) {
    console.log(`${((time / all) * 100).toFixed(1).padStart(6)} %  ${name}`)
  }
}

/** `packages/kernel/src/engine.ts` or `knex/lib/client.js`. */
function placeOf(url: string): string {
  if (url.includes('/node_modules/')) return url.slice(url.lastIndexOf('/node_modules/') + '/node_modules/'.length)
  return url.replace(new URL('..', import.meta.url).href, '')
}
