// Measures Plinth and the limit server, scenario by scenario, and writes results.md. See options.ts for the switches.

import { writeFileSync } from 'node:fs'
import { prepareStore } from './data/prepare.ts'
import { load, type Sample } from './load.ts'
import { DATABASES, ONLY, PLUGINS, RUNS, SECONDS, WARM_UP } from './options.ts'
import { createReport, type Result, type Section } from './report.ts'
import { createScenarios, type Scenario, writes } from './scenarios.ts'
import { startServer } from './server.ts'
import { countStatements } from './statements.ts'
import type { Side, Store } from './store/store.ts'
import { type Reached, reachStores } from './store/stores.ts'
import { verify } from './verify.ts'

type Samples = Record<'plinth' | 'limit', Sample[]>

const SIDES = ['plinth', 'limit'] as const

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
// Results of some scenarios would look like the whole table.
if (ONLY === null && DATABASES === null) writeFileSync(new URL('results.md', import.meta.url), report)

async function measureStore({ store, title }: Reached): Promise<Result[]> {
  const ids = await prepareStore(store, PLUGINS)
  await verify(store, ids)
  console.error(`${title}: both servers give the same answers`)
  const all = createScenarios(store.client, ids, PLUGINS === 'media')
  const scenarios = all.filter(({ key }) => ONLY === null || ONLY.includes(key))
  const statements = await countStatements(store, scenarios)
  const results: Result[] = []
  for (const scenario of scenarios) {
    const samples = await measure(store, scenario)
    results.push({ scenario, ...samples, statements: statements.get(scenario.key)! })
  }
  return results
}

/** Both servers run and are loaded in turn, so that other load on the machine affects both. */
async function measure(store: Store, scenario: Scenario): Promise<Samples> {
  const samples: Samples = { plinth: [], limit: [] }
  const start = async (side: Side) => {
    const target = await store.copy(side, writes(scenario))
    return startServer(side, { ...target, rememberTotals: scenario.remembersTotals ?? false }, PLUGINS)
  }
  const servers = { plinth: await start('plinth'), limit: await start('limit') }
  try {
    for (const side of SIDES) await load(servers[side], scenario, { seconds: WARM_UP })
    for (let run = 0; run < RUNS; run++) {
      // The order alternates, so that a change in the speed of the machine favours neither.
      for (const side of run % 2 === 0 ? SIDES : SIDES.toReversed()) {
        samples[side].push(await load(servers[side], scenario, { seconds: SECONDS }))
      }
    }
  } finally {
    for (const side of SIDES) await servers[side].stop()
  }
  for (const side of SIDES) console.error(`${scenario.key} ${side}: ${samples[side].map(speed).join(', ')} a second`)
  return samples
}

function speed({ requestsPerSecond }: Sample): number {
  return Math.round(requestsPerSecond)
}
