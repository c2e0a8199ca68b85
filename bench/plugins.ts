// Measures the cost of plugins: Plinth with drafts and locales and Plinth without plugins, on the same entries, of which one
// in ten is a draft; once with the model of the scenarios and once with localized articles, all in English. Then Plinth with
// all plugins, where none concerns the entries. See turns.ts for how they are measured.

import { writeFileSync } from 'node:fs'
import { preparePlinth } from './data/prepare.ts'
import { CONNECTIONS, ONLY, WARM_UP } from './options.ts'
import { commit, machine, table } from './report.ts'
import { createScenarios, type Scenario } from './scenarios.ts'
import { startServer } from './server.ts'
import { countStatements, type StatementCount } from './statements.ts'
import { firstStore } from './store/stores.ts'
import { measureInTurn, ROUND_SECONDS, ROUNDS, type Round, SITTINGS, speedRatio, timeRatio, times } from './turns.ts'

/** The scenarios that are measured by default. */
const MEASURED = ONLY ?? ['S1', 'S2', 'S3', 'S4', 'S5', 'S6', 'S7']

/** `plain`: no plugins, but with the attributes that they add. */
const variants = { both: 'both', localized: 'all', plain: 'plain', idle: 'idle', off: false } as const
type Name = keyof typeof variants
const names = Object.keys(variants) as Name[]

/** What is divided by what. */
const comparisons: readonly (readonly [Name, Name])[] = [
  ['both', 'off'],
  ['both', 'plain'],
  ['localized', 'off'],
  ['localized', 'plain'],
  ['idle', 'off'],
]

const before = machine()
const store = await firstStore()
const title = await store.describe()
let ids: readonly number[] = []
for (const name of names) ids = await preparePlinth(store, name, variants[name])
const scenarios = createScenarios(store.client, ids).filter(({ key }) => MEASURED.includes(key))
const counts = {
  off: await countStatements(store, scenarios, 'off', false),
  localized: await countStatements(store, scenarios, 'localized', 'all'),
  idle: await countStatements(store, scenarios, 'idle', 'idle'),
}
const rows: string[][] = []
for (const scenario of scenarios) rows.push(cells(scenario, await measure(scenario)))
const report = createReport()
console.log(report)
// Results of some scenarios would look like the whole table.
if (ONLY === null) writeFileSync(new URL('plugins.md', import.meta.url), report)
await store.close()

async function measure(scenario: Scenario): Promise<readonly Round<Name>[]> {
  return measureInTurn(
    names.map(name => ({
      name,
      scenario,
      start: async () => startServer(name, await store.copy(name, true), variants[name]),
    })),
  )
}

function cells({ key, name }: Scenario, rounds: readonly Round<Name>[]): string[] {
  const statements = ({ first, later }: StatementCount) => `${first} / ${later}`
  const ratios = comparisons.flatMap(([of, than]) => [speedRatio(rounds, of, than), timeRatio(rounds, of, than)])
  const counted = [counts.localized, counts.idle, counts.off].map(count => statements(count.get(key)!))
  return [key, name, ...ratios, times(rounds, names), ...counted]
}

function createReport(): string {
  const head = comparisons.flatMap(([of, than], i) => {
    const isSame = comparisons[i - 1]?.[0] === of
    return [`${isSame ? '' : `${of}: `}speed / ${than}`, `CPU / ${than}`]
  })
  return `# What plugins cost

Plinth with plugins, compared with Plinth without them, in turn in one run on the same entries. "Both": draft-publish and i18n
and the model of the scenarios: drafts are hidden, articles are not localized. "Localized": articles are localized too,
and all are in English, so that the locale is a further condition and entries have \`locale\` and
\`meta.availableLocales\`. "Idle": draft-publish, i18n, users-permissions, api-tokens, upload and graphql, none of which concerns
articles: they have neither drafts nor locales nor files, and callers without a token may do everything. Written by \`pnpm --filter bench plugins\`.

- Commit: ${commit()}
- Machine: ${before}
- Node ${process.version}; ${title}
- ${CONNECTIONS} connections; servers started ${SITTINGS} times, ${ROUNDS} rounds of ${ROUND_SECONDS} s on each after ${WARM_UP} s of warm-up

Speed: requests per second divided by those without plugins; the median of the rounds and, in parentheses, the limits of the
middle half. "Off": an application without plugins, whose responses are up to 7 % shorter than those of "both" and
"localized", and the same as those of "idle". "Plain": one without plugins in which \`publishedAt\` and \`locale\` are ordinary
attributes of the schema, so that responses are as long as with localized articles. CPU: user and system time of the server per
request, of the fastest tenth of the rounds, divided likewise; in microseconds for ${names.join(', ')}. Statements: for a
request the first time / later.

${table([['', 'request', ...head, 'CPU µs', 'statements, localized', 'idle', 'off'], ...rows])}
`
}
