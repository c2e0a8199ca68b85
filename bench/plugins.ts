// What drafts and locales cost: Plinth with both plugins beside Plinth with neither, on the same entries. Articles are
// localized and all in English, one in ten is a draft. All servers run; short loads go to them in turn, so that what
// else happens on the machine happens to all. `ONLY=S6,S7 node plugins.ts` measures writes.
import { writeFileSync } from 'node:fs'
import { preparePlinth } from './data/prepare.ts'
import { load, type Sample } from './load.ts'
import { CONNECTIONS, ONLY, WARM_UP } from './options.ts'
import { commit, machine, table } from './report.ts'
import { createScenarios, type Scenario } from './scenarios.ts'
import { type Server, startServer } from './server.ts'
import { countStatements, type StatementCount } from './statements.ts'
import { firstStore } from './store/stores.ts'

const ROUNDS = Number(process.env.RUNS ?? 12)
const SECONDS = Number(process.env.SECS ?? 2)

/** Reads; what else there is must be asked for. */
const MEASURED = ONLY ?? ['S1', 'S2', 'S3', 'S4', 'S5']

/** `plain`: no plugins, but the attributes that they add. */
const variants = { on: 'all', plain: 'plain', off: false } as const
type Variant = keyof typeof variants
const names = Object.keys(variants) as Variant[]

/** One round: all servers, one after the other. */
type Round = Readonly<Record<Variant, Sample>>

const before = machine()
const store = await firstStore()
const title = await store.describe()
let ids: readonly number[] = []
for (const name of names) ids = await preparePlinth(store, name, variants[name])
const scenarios = createScenarios(store.client, ids).filter(({ key }) => MEASURED.includes(key))
const counts = {
  off: await countStatements(store, scenarios, 'off', false),
  on: await countStatements(store, scenarios, 'on', 'all'),
}
const rows: string[][] = []
for (const scenario of scenarios) rows.push(cells(scenario, await measure(scenario)))
const report = createReport()
console.log(report)
// A part of the table would look like all of it.
if (ONLY === null) writeFileSync(new URL('plugins.md', import.meta.url), report)
await store.close()

async function measure(scenario: Scenario): Promise<readonly Round[]> {
  const servers = new Map<Variant, Server>()
  try {
    for (const name of names) {
      const server = await startServer(name, await store.copy(name, true), variants[name])
      servers.set(name, server)
      await load(server, scenario, WARM_UP)
    }
    const rounds: Round[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const found: Partial<Record<Variant, Sample>> = {}
      // The other way round in every second round.
      for (const name of round % 2 === 0 ? names : names.toReversed())
        found[name] = await load(servers.get(name)!, scenario, SECONDS)
      rounds.push(found as Round)
      const [on, plain, off] = names.map(name => found[name]!.cpuMicroseconds)
      console.error(`${scenario.key} ${round + 1}: CPU ${(on! / plain!).toFixed(3)}, ${(on! / off!).toFixed(3)}`)
    }
    return rounds
  } finally {
    for (const server of servers.values()) await server.stop()
  }
}

function cells({ key, name }: Scenario, rounds: readonly Round[]): string[] {
  const speed = (than: Variant) => rounds.map(round => round.on.requestsPerSecond / round[than].requestsPerSecond)
  const time = (than: Variant) => rounds.map(round => round.on.cpuMicroseconds / round[than].cpuMicroseconds)
  const statements = ({ first, later }: StatementCount) => `${first} / ${later}`
  return [
    key,
    name,
    spread(speed('plain')),
    spread(time('plain')),
    spread(speed('off')),
    spread(time('off')),
    (least(rounds, 'on') / least(rounds, 'plain')).toFixed(2),
    (least(rounds, 'on') / least(rounds, 'off')).toFixed(2),
    names.map(name => Math.round(least(rounds, name)).toLocaleString('en')).join(', '),
    statements(counts.on.get(key)!),
    statements(counts.off.get(key)!),
  ]
}

/** The median, and between which the middle half lies. */
function spread(values: readonly number[]): string {
  return `**${quantile(values, 0.5).toFixed(2)}** (${quantile(values, 0.25).toFixed(2)}–${quantile(values, 0.75).toFixed(2)})`
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) * part
  const [low, high] = [sorted[Math.floor(at)]!, sorted[Math.ceil(at)]!]
  return low + (high - low) * (at - Math.floor(at))
}

/** The CPU time of the quietest rounds: others on the machine only ever add to it. */
function least(rounds: readonly Round[], name: Variant): number {
  return quantile(
    rounds.map(round => round[name].cpuMicroseconds),
    0.1,
  )
}

function createReport(): string {
  const head = [
    '',
    'request',
    'speed',
    'CPU',
    'bare speed',
    'bare CPU',
    'quiet CPU',
    'bare',
    'µs',
    'statements on',
    'off',
  ]
  return `# What drafts and locales cost

Plinth with draft-publish and i18n beside Plinth with neither, in turn in one run on the same entries. With the plugins on,
articles are localized and in English, drafts are hidden, and entries have the members \`publishedAt\`, \`locale\` and
\`meta.availableLocales\` besides. Made by \`pnpm --filter bench plugins\`.

- Commit: ${commit()}
- Machine: ${before}
- Node ${process.version}; ${title}
- ${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s on each server after ${WARM_UP} s of warm-up

Speed: requests a second with both on, divided by those with both off where \`publishedAt\` and \`locale\` are ordinary
attributes of the schema, so that answers are as long. "Bare": divided by those of an application that has neither, whose
answers are shorter by up to 7 %. CPU: user and system time of the server per request, divided likewise. These are medians of
the rounds; in parentheses the middle half of them. Quiet CPU: the same of the tenth of the rounds that took least, since
whatever else runs on the machine only adds; in microseconds with both on, with ordinary attributes, bare. Statements: for a
request the first time / again later.

${table([head, ...rows])}
`
}
