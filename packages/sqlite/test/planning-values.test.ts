// Statements that are prepared once: SQLite does not plan by the values of comparisons (docs/architecture.md, SQLite).

import type { Comparison } from '@plinth/kernel/database'
import Database from 'better-sqlite3'
import t, { type Test } from 'tap'
import { sqlite } from '../src/dialect.ts'

/** A table with statistics, in which one value is frequent and the others are rare. */
function skewed(t: Test): Database.Database {
  const database = new Database(':memory:')
  t.teardown(() => void database.close())
  database.exec('CREATE TABLE "things" ("id" INTEGER PRIMARY KEY, "size" INTEGER, "name" TEXT)')
  database.exec(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
     INSERT INTO "things" SELECT i, CASE WHEN i % 50 = 0 THEN i ELSE 1 END, 'thing ' || i FROM n`,
  )
  database.exec('CREATE INDEX "sizes" ON "things" ("size"); CREATE INDEX "names" ON "things" ("name"); ANALYZE')
  return database
}

/** Whether the plan of a condition differs for two lists of values. */
function plansByValue(database: Database.Database, condition: string, pairs: readonly unknown[][]): boolean {
  const statement = database.prepare(`EXPLAIN QUERY PLAN SELECT "id", "name", "size" FROM "things" WHERE ${condition}`)
  const plans = pairs.map(values => (statement.all(...values) as { detail: string }[]).map(one => one.detail).join())
  return new Set(plans).size > 1
}

t.test('a comparison has the same plan for every value', async t => {
  const database = skewed(t)
  const cases: readonly [Comparison, unknown[][]][] = [
    ['eq', [[1], [50]]],
    ['lt', [[2], [1]]],
    ['lte', [[1], [0]]],
    ['gt', [[0], [4999]]],
    ['gte', [[1], [5000]]],
    [
      'between',
      [
        [1, 1],
        [4990, 5000],
      ],
    ],
  ]
  let differing = 0
  for (const [comparison, pairs] of cases) {
    const text = sqlite.compare(comparison, '"size"', 'integer')
    t.notOk(plansByValue(database, text, pairs), text)
    if (plansByValue(database, text.replaceAll('+?', '?'), pairs)) differing++
  }
  t.ok(differing > 1, `${differing} of them have other plans for other values if SQLite is let see these`)
})

t.test('no pattern but those of a beginning is seen when a statement is planned', async t => {
  const textual = [
    'contains',
    'notContains',
    'endsWith',
    'eqi',
    'nei',
    'containsi',
    'startsWithi',
    'endsWithi',
  ] as const
  for (const comparison of textual) t.notMatch(sqlite.compare(comparison, '"name"', 'string'), /(GLOB|LIKE) \?/)
  const beginning = sqlite.compare('startsWith', '"name"', 'string')
  const [plan] = skewed(t)
    .prepare(`EXPLAIN QUERY PLAN SELECT "id", "size" FROM "things" WHERE ${beginning}`)
    .all('thing 12*') as { detail: string }[]
  t.match(plan!.detail, /USING INDEX names \(name>\? AND name<\?\)/, 'an index serves it')
})
