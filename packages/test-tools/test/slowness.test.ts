// How slow the machine is at the moment, by which the law of the processor's time is measured.

import t from 'tap'
import { measureSlowness } from '../src/run/slowness.ts'

t.test('a machine is as slow as a usual one at least, and four times at most', async t => {
  const slowness = measureSlowness()
  t.ok(slowness >= 1 && slowness <= 4, String(slowness))
  t.comment(`slowness ${slowness.toFixed(2)}`)
})
