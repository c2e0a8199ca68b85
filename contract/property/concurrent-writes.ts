/**
 * Random programs of concurrent writes, by one process and by two: the database stays consistent, and acknowledged
 * writes are stored. PLINTH_PROGRAMS sets the number of programs, PLINTH_SEED repeats a run, and PLINTH_PROGRAM runs
 * one program fifty times.
 */

import { casesOf } from '@plinth/test-tools/cases'
import t, { type Test } from 'tap'
import { fresh } from '../boot.ts'
import { batchesOf, explain } from './program-batches.ts'
import { type Statuses, Workplace } from './program-runner.ts'
import type { Application } from './workshop.ts'

const wanted = Number(process.env.PLINTH_PROGRAMS ?? casesOf(5000))
const seed = Number(process.env.PLINTH_SEED ?? Date.now() % 2 ** 31)
const one = process.env.PLINTH_PROGRAM

/** Most programs run on the application of the contract. */
const shares: Readonly<Record<Application, number>> = { contract: 0.75, plain: 0.25 }

async function runAll(t: Test, place: Workplace, numbers: readonly number[]): Promise<unknown> {
  for (const batch of batchesOf(place, seed, numbers, one === undefined ? 32 : 1)) {
    const failures = await place.run(batch)
    // A repeated program would conflict with its own unique values.
    if (one !== undefined) await place.empty()
    if (failures.length === 0) continue
    const told = await explain(place, batch, failures)
    return t.fail(`programs ${batch.map(one => one.number).join(', ')}`, { told: told.split('\n') })
  }
}

function isMostly(statuses: Statuses, status: number, share: number): boolean {
  const all = [...statuses.values()].reduce((sum, count) => sum + count, 0)
  return (statuses.get(status) ?? 0) > share * all
}

/** Adds the test of an application. */
export function testConcurrentWrites(application: Application): void {
  const count = Math.ceil(wanted * shares[application])
  const numbers = one === undefined ? Array.from({ length: count }, (_, i) => i) : Array(50).fill(Number(one))
  const name = `${numbers.length} programs of concurrent writes, application ${application}, PLINTH_SEED=${seed}`
  t.test(name, async t => {
    const place = await Workplace.open(application, await fresh(t))
    t.teardown(() => place.close())
    const began = performance.now()
    await runAll(t, place, numbers)
    const told = [...place.statuses].map(([status, times]) => `${times} × ${status}`).join(', ')
    t.comment(`${Math.round(performance.now() - began)} ms; answers: ${told}`)
    t.ok(isMostly(place.statuses, 200, 0.4), 'most writes succeeded')
    t.notOk(isMostly(place.statuses, 503, 0.02), 'few writes were told that the database is busy')
  })
}
