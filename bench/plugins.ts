// Measures the cost of drafts and locales: Plinth with both plugins and Plinth without plugins, on the same entries, of
// which one in ten is a draft; once with the model of the scenarios and once with localized articles, all in English.
// All servers run at the same time and are loaded in short turns, so that other load on the machine affects all of them
// equally. They are restarted several times, because two processes of the same program differ by some percent as long
// as they run. `ONLY=S6,S7 node plugins.ts` measures writes.
import { writeFileSync } from 'node:fs'
import { preparePlinth } from './data/prepare.ts'
import { load, type Sample } from './load.ts'
import { CONNECTIONS, ONLY, WARM_UP } from './options.ts'
import { commit, machine, table } from './report.ts'
import { createScenarios, type Scenario } from './scenarios.ts'
import { type Server, startServer } from './server.ts'
import { countStatements, type StatementCount } from './statements.ts'
import { firstStore } from './store/stores.ts'

const ROUNDS = Number(process.env.RUNS ?? 4)
const SECONDS = Number(process.env.SECS ?? 1)
const SITTINGS = Number(process.env.SITTINGS ?? 5)

/** The scenarios that are measured by default: those that read. */
const MEASURED = ONLY ?? ['S1', 'S2', 'S3', 'S4', 'S5']

/** `plain`: no plugins, but with the attributes that they add. */
const variants = { both: 'both', localized: 'all', plain: 'plain', off: false } as const
type Variant = keyof typeof variants
const names = Object.keys(variants) as Variant[]

/** One round: each server is loaded once. */
type Round = Readonly<Record<Variant, Sample>>

const before = machine()
const store = await firstStore()
const title = await store.describe()
let ids: readonly number[] = []
for (const name of names) ids = await preparePlinth(store, name, variants[name])
const scenarios = createScenarios(store.client, ids).filter(({ key }) => MEASURED.includes(key))
const counts = {
  off: await countStatements(store, scenarios, 'off', false),
  localized: await countStatements(store, scenarios, 'localized', 'all'),
}
const rows: string[][] = []
for (const scenario of scenarios) rows.push(cells(scenario, await measure(scenario)))
const report = createReport()
console.log(report)
// Results of some scenarios would look like the whole table.
if (ONLY === null) writeFileSync(new URL('plugins.md', import.meta.url), report)
await store.close()

async function measure(scenario: Scenario): Promise<readonly Round[]> {
  const rounds: Round[] = []
  for (let sitting = 0; sitting < SITTINGS; sitting++) {
    const first = sitting % names.length
    rounds.push(...(await sit(scenario, [...names.slice(first), ...names.slice(0, first)])))
  }
  return rounds
}

/** Starts the servers in this order and loads them in turn. */
async function sit(scenario: Scenario, order: readonly Variant[]): Promise<readonly Round[]> {
  const servers = new Map<Variant, Server>()
  try {
    for (const name of order) {
      const server = await startServer(name, await store.copy(name, true), variants[name])
      servers.set(name, server)
      await load(server, scenario, WARM_UP)
    }
    const rounds: Round[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const found: Partial<Record<Variant, Sample>> = {}
      // Every second round is in reverse order.
      for (const name of round % 2 === 0 ? order : order.toReversed())
        found[name] = await load(servers.get(name)!, scenario, SECONDS)
      rounds.push(found as Round)
      const times = names.map(name => `${name} ${Math.round(found[name]!.cpuMicroseconds)}`)
      console.error(`${scenario.key}: CPU µs ${times.join(', ')}`)
    }
    return rounds
  } finally {
    for (const server of servers.values()) await server.stop()
  }
}

function cells({ key, name }: Scenario, rounds: readonly Round[]): string[] {
  const speed = (of: Variant, than: Variant) =>
    spread(rounds.map(round => round[of].requestsPerSecond / round[than].requestsPerSecond))
  const time = (of: Variant, than: Variant) => (least(rounds, of) / least(rounds, than)).toFixed(2)
  const statements = ({ first, later }: StatementCount) => `${first} / ${later}`
  const ratios = (['both', 'localized'] as const).flatMap(of => [
    speed(of, 'off'),
    time(of, 'off'),
    speed(of, 'plain'),
    time(of, 'plain'),
  ])
  const times = names.map(one => Math.round(least(rounds, one)).toLocaleString('en')).join(', ')
  return [key, name, ...ratios, times, statements(counts.localized.get(key)!), statements(counts.off.get(key)!)]
}

/** The median, and the limits of the middle half. */
function spread(values: readonly number[]): string {
  return `**${quantile(values, 0.5).toFixed(2)}** (${quantile(values, 0.25).toFixed(2)}–${quantile(values, 0.75).toFixed(2)})`
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) * part
  const [low, high] = [sorted[Math.floor(at)]!, sorted[Math.ceil(at)]!]
  return low + (high - low) * (at - Math.floor(at))
}

/** The tenth percentile of the CPU times of rounds: other load can only increase a CPU time. */
function least(rounds: readonly Round[], name: Variant): number {
  return quantile(
    rounds.map(round => round[name].cpuMicroseconds),
    0.1,
  )
}

function createReport(): string {
  const head = ['', 'request']
  for (const one of ['both', 'localized']) head.push(`${one}: speed / off`, 'CPU / off', 'speed / plain', 'CPU / plain')
  head.push('CPU µs', 'statements, localized', 'off')
  return `# What drafts and locales cost

Plinth with draft-publish and i18n, compared with Plinth without both, in turn in one run on the same entries. "Both": both
plugins and the model of the scenarios: drafts are hidden, articles are not localized. "Localized": articles are localized too,
and all are in English, so that the locale is a further condition and entries have \`locale\` and
\`meta.availableLocales\`. Written by \`pnpm --filter bench plugins\`.

- Commit: ${commit()}
- Machine: ${before}
- Node ${process.version}; ${title}
- ${CONNECTIONS} connections; servers started ${SITTINGS} times, ${ROUNDS} rounds of ${SECONDS} s on each after ${WARM_UP} s of warm-up

Speed: requests per second divided by those without plugins; the median of the rounds and, in parentheses, the limits of the
middle half. "Off": an application without both, whose responses are up to 7 % shorter. "Plain": one without plugins in which
\`publishedAt\` and \`locale\` are ordinary attributes of the schema, so that responses are as long as with localized articles.
CPU: user and system time of the server per request, of the fastest tenth of the rounds, divided likewise; in microseconds
for ${names.join(', ')}. Statements: for a request the first time / later.

${table([head, ...rows])}
`
}
