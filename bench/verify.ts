// Both servers must give the same answers, otherwise their speeds cannot be compared. Runs alone or at the start of a
// bench run.

import { prepareStore } from './data/prepare.ts'
import { findDifference, withoutEntryMeta, withoutNow } from './difference.ts'
import { PLUGINS } from './options.ts'
import { createScenarios, type Request, type Scenario } from './scenarios.ts'
import { type Server, startServer } from './server.ts'
import type { Side, Store } from './store/store.ts'
import { reachStores } from './store/stores.ts'

/** The number of requests of a scenario that are compared, spread evenly. */
const COMPARED = 20

/** Responses after the writes that show what was written: the new total, and the new entry with its relations. */
const AFTERWARDS: readonly Request[] = [
  { method: 'GET', path: '/api/articles/10001' },
  { method: 'GET', path: '/api/articles?pagination[pageSize]=25' },
  {
    method: 'GET',
    path: '/api/articles?populate[0]=author&populate[1]=categories&pagination[page]=362&pagination[pageSize]=25',
  },
  { method: 'GET', path: '/api/articles/999999' },
]

/** Throws an error at the first answer that differs. */
export async function verify(store: Store, ids: readonly number[]): Promise<void> {
  const start = async (side: Side) => startServer(side, await store.copy(side, true), PLUGINS)
  const servers = [await start('plinth'), await start('limit')]
  try {
    for (const scenario of createScenarios(store.client, ids, PLUGINS === 'media')) {
      for (const request of spread(scenario)) await compare(servers, request, scenario.key)
    }
    for (const request of AFTERWARDS) await compare(servers, request, 'after the writes')
  } finally {
    await Promise.all(servers.map(server => server.stop()))
  }
}

/** Some requests of a scenario, spread evenly. */
export function spread({ requests }: Scenario): readonly Request[] {
  const step = Math.max(1, Math.floor(requests.length / COMPARED))
  return requests.filter((_, index) => index % step === 0)
}

async function compare(servers: readonly Server[], request: Request, where: string): Promise<void> {
  const [plinth, limit] = await Promise.all(servers.map(server => answer(server, request)))
  const difference = findDifference(plinth, limit)
  if (difference !== null) throw new Error(`${where}: ${request.method} ${request.path}: ${difference}`)
}

async function answer(server: Server, { path, ...request }: Request): Promise<unknown> {
  const response = await fetch(server.address + path, request)
  const body: unknown = await response.json()
  return { status: response.status, body: withoutNow(withoutEntryMeta(body)) }
}

if (process.argv[1] === import.meta.filename) {
  for (const { store, title } of await reachStores()) {
    await verify(store, await prepareStore(store, PLUGINS))
    await store.close()
    console.log(`${title}: both servers give the same answers.`)
  }
}
