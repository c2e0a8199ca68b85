/** The recorded suites, replayed: none answers worse than it did, and those that must pass whole do. */
import t from 'tap'
import { readExpected, replayOn } from './conformance.ts'
import { databases } from './databases.ts'
import { internalErrors, shortfalls } from './report.ts'

for (const client of await databases()) {
  t.test(`the recorded suites on ${client}`, { timeout: 600_000 }, async t => {
    const [report, expected] = await Promise.all([replayOn(client), readExpected()])
    t.same(internalErrors(report), [], 'no step is answered with 5xx, quirks included')
    for (const name of expected.whole) {
      const suite = report.suites.find(({ suite }) => suite === name)
      t.same(
        suite?.results.filter(step => !step.passed).map(step => [step.name, step.differences[0]]),
        [],
        `${name} passes whole`,
      )
    }
    t.same(shortfalls(report, expected), [], 'no suite passes fewer steps than it did')
  })
}
