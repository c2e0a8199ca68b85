/** Replays the recorded suites: no suite passes fewer steps than expected, and complete suites stay complete. */
import t from 'tap'
import { testClient } from './boot.ts'
import { readExpected, replayOn } from './conformance.ts'
import { internalErrors, shortfalls } from './report.ts'

t.test(`the recorded suites on ${testClient()}`, { timeout: 1_200_000 }, async t => {
  const [report, expected] = await Promise.all([replayOn(testClient()), readExpected()])
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
