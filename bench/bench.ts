// Measures Plinth beside the limit server, scenario by scenario, and writes results.md. See options.ts for the switches.
import { writeFileSync } from 'node:fs'
import { prepareStore } from './data/prepare.ts'
import { load, type Sample } from './load.ts'
import { DATABASES, DRAFTS, ONLY, RUNS, SECONDS, WARM_UP } from './options.ts'
import { createReport, type Result, type Section } from './report.ts'
import { createScenarios, type Scenario, writes } from './scenarios.ts'
import { startServer } from './server.ts'
import { countStatements } from './statements.ts'
import type { Side, Store } from './store/store.ts'
import { type Reached, reachStores } from './store/stores.ts'
import { verify } from './verify.ts'

const sections: Section[] = []
for (const reached of await reachStores()) {
  try {
    sections.push({ title: reached.title, results: await measureStore(reached) })
  } finally {
    await reached.store.close()
  }
}
const report = createReport(sections)
console.log(report)
// A part of the tables would look like all of them.
if (ONLY === null && DATABASES === null) writeFileSync(new URL('results.md', import.meta.url), report)

async function measureStore({ store, title }: Reached): Promise<Result[]> {
  const ids = await prepareStore(store, DRAFTS)
  await verify(store, ids)
  console.error(`${title}: both servers give the same answers`)
  const scenarios = createScenarios(store.client, ids).filter(({ key }) => ONLY === null || ONLY.includes(key))
  const statements = await countStatements(store, scenarios)
  const results: Result[] = []
  for (const scenario of scenarios) {
    const samples: Record<'plinth' | 'limit', Sample[]> = { plinth: [], limit: [] }
    for (let run = 0; run < RUNS; run++) {
      // The other one first in every second run, so that a machine that slows down or wakes up favours neither.
      const order: readonly ('plinth' | 'limit')[] = run % 2 === 0 ? ['plinth', 'limit'] : ['limit', 'plinth']
      for (const side of order) samples[side].push(await measure(store, side, scenario))
    }
    results.push({ scenario, ...samples, statements: statements.get(scenario.key)! })
  }
  return results
}

async function measure(store: Store, side: Side, scenario: Scenario): Promise<Sample> {
  const target = await store.copy(side, writes(scenario))
  const server = await startServer(side, { ...target, rememberTotals: scenario.remembersTotals ?? false }, DRAFTS)
  try {
    await load(server, scenario, WARM_UP)
    const sample = await load(server, scenario, SECONDS)
    const { requestsPerSecond, cpuMicroseconds } = sample
    console.error(
      `${scenario.key} ${side}: ${Math.round(requestsPerSecond)} requests a second, ${Math.round(cpuMicroseconds)} µs CPU`,
    )
    return sample
  } finally {
    await server.stop()
  }
}
