// Measures a rule that shows each user a few rows of a large table: `tenant: '$user.tenant'`, with 50 rows of a million and
// 50 of ten thousand. The plugin adds the index that makes both equally fast. `node tenants.ts` measures this part alone.

import { type Caller, sentBy } from './callers.ts'
import { type Article, createEntries } from './data/entries.ts'
import { articleRows } from './data/v4-tables.ts'
import { createPlinthDatabase } from './plinth.ts'
import { table } from './report.ts'
import type { Scenario } from './scenarios.ts'
import { type Server, startServer } from './server.ts'
import type { Row, Store, Target } from './store/store.ts'
import { reachStores } from './store/stores.ts'
import { measureInTurn, type Round, speedRatio, timeRatio, times } from './turns.ts'

/** Rows of each tenant. */
const OWN = 50

/** Users that are measured, each of a tenant of its own. */
const USERS = 20

const sizes = { few: 10_000, many: Number(process.env.ROWS ?? 1_000_000) } as const
type Name = keyof typeof sizes
const names = Object.keys(sizes) as Name[]

const LIST = '/api/articles?pagination[pageSize]=25'

const scenarios: readonly Scenario[] = [
  { key: 'S1', name: 'list of 25', requests: [{ method: 'GET', path: LIST }] },
  {
    key: 'S1c',
    name: 'list of 25, total counted',
    // No total is remembered for a filter that was never sent before. Servers count for every list.
    requests: [{ method: 'GET', path: `${LIST}&filters[id][$gt]=-` }],
    isNumbered: true,
  },
]

export const tenantsAbout = `A rule \`tenant: '$user.tenant'\` on articles, of which each tenant has ${OWN}: among ${sizes.many.toLocaleString('en')} rows ("many") and
among ${sizes.few.toLocaleString('en')} ("few"); the rows of a tenant are spread over the table. The plugin made the index on \`tenant\`. Figures as above,
for many rows divided by those for few. In "total counted", a filter that all rows fulfil differs in each request, so that no
total is remembered on SQLite; database servers count for every list.`

/** A table of the measurements. */
export async function measureTenants(store: Store): Promise<string> {
  const targets = new Map<Name, Target>()
  for (const name of names) targets.set(name, await prepareTenants(store, name))
  // Requests only read, so no copies are made.
  const start = (name: Name) => startServer(name, targets.get(name)!, 'tenants')
  for (const name of names) await requireOwn(await start(name))
  const rows: string[][] = []
  for (const scenario of scenarios) {
    const sent = sentBy(callers, scenario)
    const rounds = await measureInTurn(names.map(name => ({ name, scenario: sent, start: () => start(name) })))
    rows.push(cells(scenario, rounds))
  }
  return table([['', 'request', 'speed, many / few', 'CPU', `CPU µs: ${names.join(', ')}`, 'few/s'], ...rows])
}

function cells({ key, name }: Scenario, rounds: readonly Round<Name>[]): string[] {
  const perSecond = rounds.reduce((sum, round) => sum + round.few.requestsPerSecond, 0) / rounds.length
  return [
    key,
    name,
    speedRatio(rounds, 'many', 'few'),
    timeRatio(rounds, 'many', 'few'),
    times(rounds, names),
    Math.round(perSecond).toLocaleString('en'),
  ]
}

const tenantOf = (index: number) => `tenant-${String(index).padStart(6, '0')}`

const callers: readonly Caller[] = Array.from({ length: USERS }, (_, index) => ({
  id: index + 1,
  level: 1,
  tenant: tenantOf(index),
}))

/** Fills a table with copies of the articles, which belong to the tenants in turn. */
export async function prepareTenants(store: Store, name: Name): Promise<Target> {
  const { articles } = createEntries()
  const size = sizes[name]
  console.error(`${store.client}: filling ${size} rows`)
  const target = await createPlinthDatabase(store, { entries: null, plugins: 'tenants', side: name, callers })
  const rows = articleRows(store.client, articles.map(published))
  for (let first = 0; first < size; first += rows.length) {
    await store.fill(name, {
      articles: rows.slice(0, size - first).map((row, index) => copied(row, first + index, size / OWN)),
    })
  }
  await store.settle(name)
  return target
}

const published = (article: Article): Article => ({ ...article, publishedAt: article.createdAt })

const copied = (row: Row, index: number, tenants: number): Row => ({
  ...row,
  id: index + 1,
  slug: `${row.slug}-${index}`,
  tenant: tenantOf(index % tenants),
})

/** Throws an error unless each user sees the rows of the own tenant. Stops the server. */
async function requireOwn(server: Server): Promise<void> {
  try {
    for (const { requests } of [sentBy(callers, scenarios[0]!)]) {
      for (const { path, headers } of requests) {
        const text = await (await fetch(server.address + path, { headers })).text()
        if (!text.includes(`"total":${OWN}}`)) throw new Error(`A user does not see ${OWN} rows: ${text.slice(-200)}`)
      }
    }
  } finally {
    await server.stop()
  }
}

if (process.argv[1] === import.meta.filename) {
  for (const { store, title } of await reachStores()) {
    try {
      console.log(`${title}\n\n${await measureTenants(store)}\n`)
    } finally {
      await store.close()
    }
  }
}
