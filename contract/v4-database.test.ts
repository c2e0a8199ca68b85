/** Opens the database that Strapi left in place, and replays what was recorded on it, reads and writes. */

import { onOwn } from '@plinth/test-tools/on-each'
import { shortfalls } from './report.ts'
import { expectedInPlace, replayInPlace } from './v4-database.ts'

await onOwn('the recorded answers of v4', async (t, client) => {
  const [reports, expected] = await Promise.all([replayInPlace(client), expectedInPlace([client])])
  t.equal(expected.whole.length, 4, 'all suites must be whole')
  t.same(shortfalls({ suites: reports }, expected), [], 'every step passes')
})
