// The bar of exports and imports.

import t, { type Test } from 'tap'
import { Progress } from '../src/transfer/progress.ts'

/** What a transfer at half of its way writes. */
function shownOn(t: Test, isTTY: boolean): readonly unknown[] {
  const before = process.stderr.isTTY
  process.stderr.isTTY = isTTY
  const captured = t.capture(process.stderr, 'write', () => true)
  try {
    const progress = new Progress()
    progress.show(0.5, '10 rows')
    // Too soon after the first.
    progress.show(0.6, '12 rows')
    progress.clear()
  } finally {
    process.stderr.isTTY = before
    captured.restore()
  }
  return captured().map(call => call.args[0])
}

t.test('on a terminal', async t => {
  t.same(shownOn(t, true), [`\r[${'='.repeat(15)}${' '.repeat(15)}]  50% 10 rows\x1b[K`, '\r\x1b[K'])
})

t.test('nothing elsewhere', async t => {
  t.same(shownOn(t, false), [])
})
