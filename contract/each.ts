/** Runs tests once on each database, and gives them fresh ones. */
import t, { type Test } from 'tap'
import { type Client, databases, freshDatabase, type TestDatabase } from './databases.ts'

/** Runs a test once on each database; `fresh` and `boot` below it make theirs there. */
export async function onEach(name: string, test: (t: Test, client: Client) => Promise<void>, options = {}) {
  for (const client of await databases()) {
    await t.test(`${name} (${client})`, options, async t => {
      t.context.client = client
      await test(t, client)
    })
  }
}

/** A database of the test's kind that is dropped when the test has ended. */
export async function fresh(t: Test): Promise<TestDatabase> {
  const client: Client | undefined = t.context.client
  if (client === undefined) throw new Error('the test does not run in onEach')
  const database = await freshDatabase(client)
  t.teardown(() => database.drop())
  return database
}
