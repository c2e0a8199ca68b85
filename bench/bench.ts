// Measures Plinth beside the limit server, scenario by scenario, and writes results.md. See options.ts for the switches.
import { writeFileSync } from 'node:fs'
import { prepareDatabases, type Side } from './data/prepare.ts'
import { load, type Sample } from './load.ts'
import { DRAFTS, ONLY, RUNS, SECONDS, WARM_UP } from './options.ts'
import { createReport, type Result } from './report.ts'
import { createScenarios, type Scenario } from './scenarios.ts'
import { startServer } from './server.ts'
import { countStatements } from './statements.ts'
import { verify } from './verify.ts'

const ids = await prepareDatabases(DRAFTS)
await verify(ids)
const scenarios = createScenarios(ids).filter(({ key }) => ONLY === null || ONLY.includes(key))
const statements = await countStatements(scenarios)
const results: Result[] = []
for (const scenario of scenarios) {
  const samples: Record<Side, Sample[]> = { plinth: [], limit: [] }
  for (let run = 0; run < RUNS; run++) {
    // The other one first in every second run, so that a machine that slows down or wakes up favours neither.
    const order: readonly Side[] = run % 2 === 0 ? ['plinth', 'limit'] : ['limit', 'plinth']
    for (const side of order) samples[side].push(await measure(side, scenario))
  }
  results.push({ scenario, ...samples, statements: statements.get(scenario.key)! })
}
const report = createReport(results)
console.log(report)
// A part of the table would look like all of it.
if (ONLY === null) writeFileSync(new URL('results.md', import.meta.url), report)

async function measure(side: Side, scenario: Scenario): Promise<Sample> {
  const server = await startServer(side, DRAFTS)
  try {
    await load(server, scenario, WARM_UP)
    const sample = await load(server, scenario, SECONDS)
    console.error(`${scenario.key} ${side}: ${Math.round(sample.requestsPerSecond)} requests a second`)
    return sample
  } finally {
    await server.stop()
  }
}
