/** Runs tests once on each database. */
import t, { type Test } from 'tap'
import { type Client, databases } from './databases.ts'

/** Runs `test` on each, as a test of its own. */
export async function onEach(name: string, test: (t: Test, client: Client) => Promise<void>): Promise<void> {
  for (const client of await databases()) await t.test(`${name} (${client})`, t => test(t, client))
}
