// Which values each conversion of a column gives, on each database, and which it refuses.

import { onEach } from '@plinth/test-tools/on-each'
import { planMigrations } from '../../src/migrate/index.ts'
import { apply, planned } from '../fixtures/migrate.ts'
import { reopen, step, things, valuesIn } from '../fixtures/retyped-entries.ts'

const conversions: readonly (readonly [
  from: string,
  to: string,
  values: readonly unknown[],
  after: unknown[],
  risk: string,
])[] = [
  ['integer', 'string', [7, -1, null], ['7', '-1', null], 'safe'],
  ['integer', 'text', [7], ['7'], 'safe'],
  ['biginteger', 'integer', ['7', null], [7, null], 'lossy'],
  ['float', 'integer', [7, -2], [7, -2], 'lossy'],
  ['float', 'string', [1.5], ['1.5'], 'safe'],
  ['string', 'float', ['1.5', '-2', ' .25 '], [1.5, -2, 0.25], 'lossy'],
  ['string', 'decimal', ['1.50', '99999999.99'], [1.5, 99999999.99], 'lossy'],
  ['string', 'biginteger', ['9007199254740993'], ['9007199254740993'], 'lossy'],
  ['string', 'boolean', ['true', 'F', '1', null], [true, false, true, null], 'lossy'],
  ['boolean', 'integer', [true, false], [1, 0], 'safe'],
  ['integer', 'boolean', [1, 0, null], [true, false, null], 'lossy'],
  ['integer', 'float', [1, -3], [1, -3], 'safe'],
]

for (const [from, to, values, after, risk] of conversions) {
  await onEach(`${from} to ${to}`, async (t, client) => {
    // SQLite has fewer types: .25 is no number in the only grammar it has for them.
    const given = client === 'sqlite' ? values.map(one => (one === ' .25 ' ? ' 0.25 ' : one)) : values
    const database = await things(t, from, given)
    const kernel = await reopen(t, database, to)
    const plan = await planned(kernel)
    if (plan.length > 0) t.same(plan, [`${risk} ${step}`])
    else t.equal(client, 'sqlite', 'only SQLite keeps both alike')
    await apply(kernel, plan.length > 0 && risk === 'lossy' ? [step] : [])
    t.same(await valuesIn(kernel), after)
    t.same(await planned(kernel), [])
  })
}

const refusals: readonly (readonly [from: string, to: string, good: unknown, bad: unknown])[] = [
  ['biginteger', 'integer', '7', '9007199254740993'],
  ['float', 'integer', 7, 7.5],
  ['string', 'boolean', 'true', 'maybe'],
  ['string', 'float', '1.5', '1.5 EUR'],
  ['string', 'decimal', '1.5', '1.555'],
  ['integer', 'boolean', 1, 2],
  ['text', 'string', 'short', 'x'.repeat(256)],
]

for (const [from, to, good, bad] of refusals) {
  await onEach(`${from} to ${to}, refused`, async (t, client) => {
    const database = await things(t, from, [good, bad])
    const kernel = await reopen(t, database, to)
    const { steps } = await planMigrations(kernel)
    // SQLite keeps these alike: there is nothing to convert.
    if (steps.length === 0) t.equal(client, 'sqlite')
    else t.match(steps, [{ risk: 'blocked', why: /1 row .*: id 2$/ }])
  })
}
