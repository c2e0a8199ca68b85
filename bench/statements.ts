// Counts the SQL statements that Plinth runs for a request: the first time, and again when plans and totals are cached.
// `DATABASES=postgres node statements.ts S5` prints their texts.

import { prepareGraphql, prepareStore } from './data/prepare.ts'
import { createGraphqlScenarios } from './graphql-scenarios.ts'
import { PLUGINS } from './options.ts'
import { openPlinth } from './plinth.ts'
import { createScenarios, type Scenario } from './scenarios.ts'
import type { Side, Store, Target } from './store/store.ts'
import { firstStore } from './store/stores.ts'
import type { Plugins } from './variants.ts'

export interface StatementCount {
  readonly first: number
  readonly later: number
}

/** By key of the scenario. */
export async function countStatements(
  store: Store,
  scenarios: readonly Scenario[],
  side: Side = 'plinth',
  plugins: Plugins = PLUGINS,
): Promise<ReadonlyMap<string, StatementCount>> {
  const counts = new Map<string, StatementCount>()
  for (const [key, [first, , later]] of await hearAll(store, scenarios, side, plugins)) {
    counts.set(key, { first: first!.length, later: later!.length })
  }
  return counts
}

/** The texts of the statements of each scenario's first request, which is sent three times. */
async function hearAll(
  store: Store,
  scenarios: readonly Scenario[],
  side: Side = 'plinth',
  plugins: Plugins = PLUGINS,
): Promise<Map<string, string[][]>> {
  const target = await store.copy(side, true)
  const texts = new Map<string, string[][]>()
  for (const remembers of [false, true]) {
    const ofKind = scenarios.filter(one => (one.remembersTotals ?? false) === remembers)
    if (ofKind.length > 0) await collect({ ...target, rememberTotals: remembers }, plugins, ofKind, texts)
  }
  return texts
}

async function collect(
  target: Target,
  plugins: Plugins,
  scenarios: readonly Scenario[],
  texts: Map<string, string[][]>,
): Promise<void> {
  let statements: string[] = []
  const app = await openPlinth(target, plugins, kernel => {
    kernel.hooks.on('onStatement', text => statements.push(text))
  })
  for (const { key, requests } of scenarios) {
    const { path, method, headers, body } = requests[0]!
    const ofScenario: string[][] = []
    for (let time = 0; time < 3; time++) {
      statements = []
      const response = await app.inject({ method, url: path, headers, payload: body })
      if (response.statusCode >= 300) throw new Error(`${key}: ${response.statusCode} ${response.body}`)
      ofScenario.push(statements)
    }
    texts.set(key, ofScenario)
  }
  await app.close()
}

if (process.argv[1] === import.meta.filename) {
  const wanted = process.argv.slice(2)
  const store = await firstStore()
  const isWanted = ({ key }: Scenario) => wanted.length === 0 || wanted.includes(key)
  const ids = await prepareStore(store, PLUGINS)
  const heard = await hearAll(store, createScenarios(store.client, ids, PLUGINS === 'media').filter(isWanted))
  const ofGraphql = Object.values(createGraphqlScenarios()).filter(isWanted)
  if (ofGraphql.length > 0) {
    await prepareGraphql(store)
    const { S8x, ...others } = createGraphqlScenarios()
    for (const [plugins, scenarios] of [
      ['graphql', Object.values(others)],
      ['extended', [S8x]],
    ] as const) {
      for (const [key, texts] of await hearAll(store, scenarios.filter(isWanted), 'graphql', plugins))
        heard.set(key, texts)
    }
  }
  for (const [key, [first, , later]] of heard) {
    console.log(`${key}, first request:\n  ${first!.join('\n  ')}\nlater:\n  ${later!.join('\n  ')}\n`)
  }
  await store.close()
}
