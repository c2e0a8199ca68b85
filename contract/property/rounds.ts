/**
 * Runs random cases in rounds, each on content of its own. PLINTH_CASES sets the number of all cases, and PLINTH_SEED,
 * which the titles of the tests contain, repeats a run.
 */

import { createServer } from '@plinth/server'
import { casesOf } from '@plinth/test-tools/cases'
import type { TestDatabase } from '@plinth/test-tools/databases'
import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { fresh, testClient } from '../boot.ts'
import { build, type Library, plans } from './library.ts'
import { components, contentTypes } from './model.ts'
import { pools, useCollation } from './values.ts'

const wanted = casesOf(testClient() === 'sqlite' ? 10_000 : 2500)
const seed = Number(process.env.PLINTH_SEED ?? Date.now() % 2 ** 31)

export interface Round {
  readonly app: FastifyInstance
  readonly library: Library
}

/** Reads MariaDB's order of the texts that entries contain; it does not distinguish case. */
async function learnCollation(database: TestDatabase): Promise<void> {
  if (database.client !== 'mysql') return
  const opened = await database.open()
  const texts = [...pools.text, ...pools.enumeration].map(text => `SELECT ${quote(String(text))} AS word`)
  const order = `SELECT word, DENSE_RANK() OVER (ORDER BY word COLLATE utf8mb4_general_ci) AS place`
  const rows = await opened.all(`${order} FROM (${texts.join(' UNION ALL ')}) words`)
  await opened.close()
  useCollation(new Map(rows.map(({ word, place }) => [String(word), Number(place)])))
}

const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

async function open(t: Test, seed: number): Promise<Round> {
  const database = await fresh(t)
  await learnCollation(database)
  const app = await createServer({
    database: database.config,
    contentTypes,
    components,
    plugins: { rest: { config: { defaultLimit: 25, maxLimit: 100 } } },
    // The cost of a query does not matter here.
    maxCost: 1000,
    maxRows: 1e12,
    logger: false,
  })
  t.teardown(() => app.close())
  const [plan] = fc.sample(plans, { numRuns: 1, seed })
  const create = (uid: string, data: Readonly<Record<string, unknown>>) => app.kernel.query(uid).create({ data })
  return { app, library: await build(plan!, { create }) }
}

/** How the content of a kind of case is made, and how many cases share it. */
export interface Source<Content> {
  readonly perRound: number
  open(t: Test, seed: number): Promise<Content>
}

/** Checks `share` of all cases as a test. `check` throws an error if an answer is wrong. */
export function testRounds<Content, Case>(
  name: string,
  share: number,
  { open, perRound }: Source<Content>,
  cases: fc.Arbitrary<Case>,
  check: (content: Content, one: Case) => Promise<void>,
): void {
  const numRuns = Math.ceil(wanted * share)
  t.test(`${numRuns} ${name}, PLINTH_SEED=${seed}`, async t => {
    for (let done = 0; done < numRuns; done += perRound) {
      const content = await open(t, seed + done)
      const property = fc.asyncProperty(cases, one => check(content, one))
      await fc.assert(property, { numRuns: Math.min(perRound, numRuns - done), seed: seed + done })
      t.pass(`cases ${done + 1} to ${Math.min(done + perRound, numRuns)}`)
    }
  })
}

/** The same on the content of library.ts. */
export function testCases<Case>(
  name: string,
  share: number,
  cases: fc.Arbitrary<Case>,
  check: (round: Round, one: Case) => Promise<void>,
): void {
  testRounds(name, share, { perRound: 1000, open }, cases, check)
}

/** Throws an error that contains both values if they differ. */
export function compareAnswers(found: unknown, expected: unknown): void {
  const [left, right] = [fc.stringify(found), fc.stringify(expected)]
  if (left !== right) throw new Error(`Plinth answers ${left}, expected ${right}`)
}
