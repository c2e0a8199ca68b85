// Fills a store for both servers, from the same entries.

import type { Caller } from '../callers.ts'
import { createLimitDatabase } from '../limit/limit.ts'
import { createPlinthDatabase } from '../plinth.ts'
import type { Side, Store } from '../store/store.ts'
import type { Plugins } from '../variants.ts'
import { createEntries, type Entries } from './entries.ts'

/** One in so many published ids is requested; more would only add work to the load generator. */
const STRIDE = 18

/** Returns ids of published articles. */
export async function prepareStore(store: Store, plugins: Plugins): Promise<readonly number[]> {
  const entries = createEntries()
  await createLimitDatabase(store, entries, plugins !== false)
  await createPlinthDatabase(store, { entries, plugins })
  return publishedIds(entries)
}

/** The databases of the limit server, and of Plinth with GraphQL. Returns ids of published articles. */
export async function prepareGraphql(store: Store): Promise<readonly number[]> {
  await createLimitDatabase(store, createEntries(), true)
  return preparePlinth(store, 'graphql', 'graphql')
}

/** The database of Plinth with other plugins, filled with the same entries. */
export async function preparePlinth(
  store: Store,
  side: Side,
  plugins: Plugins,
  callers: readonly Caller[] = [],
): Promise<readonly number[]> {
  const entries = createEntries()
  await createPlinthDatabase(store, { entries, plugins, side, callers })
  return publishedIds(entries)
}

function publishedIds(entries: Entries): readonly number[] {
  const published = entries.articles.filter(article => article.publishedAt !== null)
  return published.filter((_, index) => index % STRIDE === 0).map(article => article.id)
}
