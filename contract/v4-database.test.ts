/** Opens the database that Strapi left in place, and replays what was recorded on it, reads and writes. */
import t from 'tap'
import { databases } from '@plinth/test-tools/databases'
import { shortfalls } from './report.ts'
import { expectedInPlace, replayInPlace } from './v4-database.ts'

for (const client of await databases()) {
  t.test(`the recorded answers of v4 on ${client}`, { timeout: 300_000 }, async t => {
    const [reports, expected] = await Promise.all([replayInPlace(client), expectedInPlace([client])])
    t.equal(expected.whole.length, 4, 'all suites must be whole')
    t.same(shortfalls({ suites: reports }, expected), [], 'every step passes')
  })
}
