/**
 * The test that a part of the recorded suites passes: no suite passes fewer steps than expected, and complete suites stay
 * complete. Each part is a file, because all suites take a minute of the processor.
 */

import type { Test } from 'tap'
import { testClient } from './boot.ts'
import { readExpected, replayOn } from './conformance.ts'
import { internalErrors, partOf, shortfalls, startFaults } from './report.ts'

/** Declares the test. */
export function testSuites(root: Test, title: string, isIncluded: (suite: string) => boolean): void {
  root.test(`${title} on ${testClient()}`, async t => {
    const [report, all] = await Promise.all([replayOn(testClient(), isIncluded), readExpected()])
    const expected = partOf(all, isIncluded)
    t.ok(expected.whole.length > 10, 'there are suites')
    t.same(startFaults(report), [], 'the server of each suite has started')
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
