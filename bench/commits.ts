// Measures Plinth of this working copy and of another one in turn: `pnpm --filter bench commits ../other`, where `../other` is a
// clone at another commit whose packages are installed. Both make and fill their own tables with the same entries. Knows
// nothing of what differs between them.

import { join, resolve } from 'node:path'
import type * as Preparation from './data/prepare.ts'
import { preparePlinth } from './data/prepare.ts'
import { ONLY, PLUGINS } from './options.ts'
import { table } from './report.ts'
import { createScenarios, type Scenario, writes } from './scenarios.ts'
import { type Server, startServer } from './server.ts'
import type { Store } from './store/store.ts'
import { reachStores } from './store/stores.ts'
import { measureInTurn, speedRatio, timeRatio, times } from './turns.ts'

const folder = process.argv[2]
if (folder === undefined) {
  console.error('Needs the folder of a working copy at another commit')
  process.exit(2)
}

// pnpm runs this in the folder of the bench.
const other = join(resolve(process.env.INIT_CWD ?? '.', folder), 'bench')
const { preparePlinth: prepareOther } = (await import(join(other, 'data/prepare.ts'))) as typeof Preparation
const programs = { this: undefined, other: join(other, 'plinth.ts') } as const
type Name = keyof typeof programs
const names = Object.keys(programs) as Name[]

const rows: string[][] = []
for (const { store, title } of await reachStores()) {
  await prepareOther(store, 'other', PLUGINS)
  const ids = await preparePlinth(store, 'this', PLUGINS)
  for (const scenario of createScenarios(store.client, ids, PLUGINS === 'media')) {
    if (ONLY !== null && !ONLY.includes(scenario.key)) continue
    const rounds = await measureInTurn(
      names.map(name => ({ name, scenario, start: () => start(store, name, scenario) })),
    )
    const ratios = [speedRatio(rounds, 'this', 'other'), timeRatio(rounds, 'this', 'other')]
    rows.push([title, scenario.key, scenario.name, ...ratios, times(rounds, names)])
    console.error(rows.at(-1)!.join(' | '))
  }
  await store.close()
}
console.log(table([['database', '', 'request', 'speed', 'CPU', 'CPU µs of this, of the other'], ...rows]))

async function start(store: Store, name: Name, scenario: Scenario): Promise<Server> {
  const target = await store.copy(name, writes(scenario))
  const totals = { ...target, rememberTotals: scenario.remembersTotals ?? false }
  return startServer(name, totals, PLUGINS, { program: programs[name] })
}
