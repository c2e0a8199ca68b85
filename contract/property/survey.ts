/**
 * Counts in how many random programs of concurrent writes each invariant is violated, instead of stopping at the first:
 * `node property/survey.ts <sqlite|mysql|postgres> <contract|plain> <programs> [seed]`.
 */

import { type Client, freshDatabase } from '@plinth/test-tools/databases'
import { batchesOf, kindsOf } from './program-batches.ts'
import { Workplace } from './program-runner.ts'
import type { Application } from './workshop.ts'

const [client, application, programs, seed = '1'] = process.argv.slice(2)
const database = await freshDatabase(client as Client)
const place = await Workplace.open(application as Application, database)
const count = Number(programs)
const began = performance.now()
const tally = new Map<string, number>()
const numbers = Array.from({ length: count }, (_, i) => i)
for (const batch of batchesOf(place, Number(seed), numbers)) {
  const failures = await place.run(batch)
  const kinds = failures.flatMap(one => [
    ...new Set(kindsOf(one).map(kind => (one.run === null ? `${kind} (of a batch)` : kind))),
  ])
  for (const kind of kinds) tally.set(kind, (tally.get(kind) ?? 0) + 1)
}
const perProgram = ((performance.now() - began) / count).toFixed(1)
const statuses = [...place.statuses].map(([status, times]) => `${times} × ${status}`).join(', ')
console.log(`${count} programs, ${perProgram} ms each; answers: ${statuses}`)
for (const [kind, times] of [...tally].sort((a, b) => b[1] - a[1]))
  console.log(`${((100 * times) / count).toFixed(2)} %  ${kind}`)
await place.close()
await database.drop()
