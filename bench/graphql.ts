// Measures GraphQL, and writes graphql.md: Plinth beside the limit server, which answers the same list in several ways, and
// beside its own REST API; variables, creates, an own field and a rule; and the memory of many texts. `ONLY=S8v node
// graphql.ts` measures this scenario alone.

import { writeFileSync } from 'node:fs'
import { readers, sentBy, stranger } from './callers.ts'
import { prepareGraphql, preparePlinth } from './data/prepare.ts'
import { differently, measureMemory } from './graphql-memory.ts'
import { type Asked, requireEqual } from './graphql-same.ts'
import { createGraphqlScenarios } from './graphql-scenarios.ts'
import { CONNECTIONS, DATABASES, ONLY, WARM_UP } from './options.ts'
import { commit, machine, table } from './report.ts'
import { createScenarios, type Scenario } from './scenarios.ts'
import { type Server, startServer } from './server.ts'
import { countStatements, type StatementCount } from './statements.ts'
import type { Store, Target } from './store/store.ts'
import { reachStores } from './store/stores.ts'
import { measureInTurn, ROUND_SECONDS, ROUNDS, type Round, SITTINGS, speedRatio, timeRatio, times } from './turns.ts'
import type { Plugins } from './variants.ts'

const { S8, S8v, S8m, S8x } = createGraphqlScenarios()

/** The ways in which the limit server answers, by the paths of its routes. */
const ways = {
  jit: 'mercurius, JIT',
  text: 'without execution',
  'jit-nested': 'mercurius, JIT, nested limits',
  'text-nested': 'without execution, nested limits',
} as const
type Way = keyof typeof ways

/** What is loaded: a server, and what is sent to it. */
type Name = 'S8' | 'S8v' | 'S8m' | 'S8x' | 'S8p' | 'S3' | 'S6' | `limit ${Way}` | 'limit S8v' | 'limit S8x'

type Scenarios = Readonly<Record<Name, Scenario>>

/** What is divided by what, and the bar for it. */
interface Comparison {
  readonly of: Name
  readonly than: Name
  readonly about: string
  readonly bar?: string
}

/** Measured together. */
interface Group {
  readonly names: readonly Name[]
  readonly comparisons: readonly Comparison[]
}

const groups: readonly Group[] = [
  {
    names: ['S8', 'S3', 'S8x', 'S8p', 'limit jit', 'limit text', 'limit jit-nested', 'limit text-nested', 'limit S8x'],
    comparisons: [
      { of: 'S8', than: 'limit jit', about: ways.jit, bar: 'speed ≥ 0.85' },
      { of: 'S8', than: 'limit text', about: ways.text },
      { of: 'S8', than: 'limit jit-nested', about: ways['jit-nested'] },
      { of: 'S8', than: 'limit text-nested', about: ways['text-nested'] },
      { of: 'S8', than: 'S3', about: 'S3 of Plinth by REST', bar: 'CPU ≤ 1.2' },
      { of: 'S8x', than: 'limit jit', about: `${ways.jit}, S8`, bar: 'speed ≥ 0.5' },
      { of: 'S8x', than: 'limit S8x', about: `${ways.jit}, with the same field` },
      { of: 'S8p', than: 'S8', about: 'S8 without rules', bar: 'speed ≥ 0.9' },
    ],
  },
  {
    names: ['S8v', 'limit S8v'],
    comparisons: [{ of: 'S8v', than: 'limit S8v', about: ways.jit, bar: 'speed ≥ 0.7' }],
  },
  {
    names: ['S8m', 'S6'],
    comparisons: [{ of: 'S8m', than: 'S6', about: 'S6 of Plinth by REST', bar: 'speed ≥ 0.8' }],
  },
]

const before = machine()
const sections: string[] = []
for (const { store, title } of await reachStores()) {
  try {
    sections.push(`## ${title}\n\n${await measureStore(store)}`)
  } finally {
    await store.close()
  }
}
const report = createReport()
console.log(report)
// Results of some scenarios would look like the whole table.
if (ONLY === null && DATABASES === null) writeFileSync(new URL('graphql.md', import.meta.url), report)

async function measureStore(store: Store): Promise<string> {
  const ids = await prepareGraphql(store)
  await preparePlinth(store, 'rest', 'graphql')
  await preparePlinth(store, 'ruled', 'ruled', [...readers, stranger])
  const rest = createScenarios(store.client, ids)
  const scenarios = scenariosOf(rest)
  const rows: string[][] = []
  for (const { names, comparisons } of groups) {
    const wanted = comparisons.filter(({ of }) => ONLY === null || ONLY.includes(of))
    if (wanted.length === 0) continue
    const measured = names.filter(name => wanted.some(({ of, than }) => of === name || than === name))
    const statements = await count(store, measured, scenarios)
    const start = await createStart(store, measured)
    await compare(measured, scenarios, start)
    const rounds = await measureInTurn(
      measured.map(name => ({ name, scenario: scenarios[name], start: () => start(name) })),
    )
    for (const comparison of wanted) rows.push(cells(comparison, scenarios, rounds, statements))
  }
  const head = ['', 'request', 'compared with', 'speed', 'CPU', 'bar', 'CPU µs', 'per second', 'statements']
  const memory = ONLY === null || ONLY.includes('memory') ? [await describeMemory(store)] : []
  return [table([head, ...rows]), ...memory].join('\n\n')
}

function scenariosOf(rest: readonly Scenario[]): Scenarios {
  const ofKey = (key: string) => rest.find(one => one.key === key)!
  const limit = (way: Way) => createGraphqlScenarios(`/${way}`).S8
  return {
    S8,
    S8v,
    S8m,
    S8x,
    S8p: { ...sentBy(readers, S8), key: 'S8p', name: 'list as a role with a rule' },
    S3: ofKey('S3'),
    S6: ofKey('S6'),
    'limit jit': limit('jit'),
    'limit text': limit('text'),
    'limit jit-nested': limit('jit-nested'),
    'limit text-nested': limit('text-nested'),
    'limit S8v': createGraphqlScenarios('/jit').S8v,
    'limit S8x': createGraphqlScenarios('/jit').S8x,
  }
}

/** The database and the plugins of what is loaded. */
function placeOf(name: Name): readonly [string, Plugins] {
  if (name.startsWith('limit')) return ['limit', 'graphql']
  if (name === 'S8p') return ['ruled', 'ruled']
  if (name === 'S6') return ['rest', 'graphql']
  return ['graphql', name === 'S8x' ? 'extended' : 'graphql']
}

function writesTo(name: Name): boolean {
  return name === 'S8m' || name === 'S6'
}

type Start = (name: Name) => Promise<Server>

/** Scenarios that read share a copy of the entries; creates begin with a new one. */
async function createStart(store: Store, names: readonly Name[]): Promise<Start> {
  const shared = new Map<string, Target>()
  for (const name of names) {
    const [side] = placeOf(name)
    if (!writesTo(name) && !shared.has(side)) shared.set(side, await store.copy(side, false))
  }
  return async name => {
    const [side, plugins] = placeOf(name)
    return startServer(side, shared.get(side) ?? (await store.copy(side, true)), plugins)
  }
}

/** Starts the servers and compares their answers. */
async function compare(names: readonly Name[], scenarios: Scenarios, start: Start): Promise<void> {
  const asked: Asked[] = []
  try {
    for (const name of names) asked.push({ name, server: await start(name), scenario: scenarios[name] })
    await requireEqual(asked)
  } finally {
    await Promise.all(asked.map(({ server }) => server.stop()))
  }
}

/** The statements of what Plinth is sent, by key of the scenario. */
async function count(store: Store, names: readonly Name[], scenarios: Scenarios) {
  const counts = new Map<string, StatementCount>()
  for (const name of names) {
    const [side, plugins] = placeOf(name)
    if (side === 'limit') continue
    for (const [key, found] of await countStatements(store, [scenarios[name]], side, plugins)) counts.set(key, found)
  }
  const [byGraphql, byRest] = [counts.get('S8')?.later, counts.get('S3')?.later]
  if (byGraphql !== undefined && byRest !== undefined && byGraphql !== byRest)
    throw new Error(`S8 runs ${byGraphql} statements, and S3 ${byRest}`)
  return counts
}

function cells(
  { of, than, about, bar = '' }: Comparison,
  scenarios: Scenarios,
  rounds: readonly Round<Name>[],
  statements: ReadonlyMap<string, StatementCount>,
): string[] {
  const perSecond = rounds.reduce((sum, round) => sum + round[of].requestsPerSecond, 0) / rounds.length
  const { first, later } = statements.get(of)!
  return [
    of,
    scenarios[of].name,
    about,
    speedRatio(rounds, of, than),
    timeRatio(rounds, of, than),
    bar,
    times(rounds, [of, than]),
    Math.round(perSecond).toLocaleString('en'),
    `${first} / ${later}`,
  ]
}

async function describeMemory(store: Store): Promise<string> {
  const found: string[] = []
  for (const way of Object.keys(differently) as (keyof typeof differently)[]) {
    const server = await startServer('graphql', await store.copy('graphql', false), 'graphql')
    try {
      const { texts, before, after } = await measureMemory(server, S8, way)
      found.push(
        `${Math.round(before)} MiB after S8, and ${Math.round(after - before)} more after ${texts} operations that differ ${way}`,
      )
    } finally {
      await server.stop()
    }
  }
  return `Memory: ${found.join('; ')}. Bar: 64 more.`
}

function createReport(): string {
  return `# What GraphQL costs

Written by \`pnpm --filter bench graphql\`.

- Commit: ${commit()}
- Machine: ${before}
- Node ${process.version}; databases on the same machine, each with its own default configuration
- ${CONNECTIONS} connections; servers started ${SITTINGS} times, ${ROUNDS} rounds of ${ROUND_SECONDS} s on each after ${WARM_UP} s of warm-up

S8 is S3 by GraphQL: 25 articles with their authors and categories, and the pagination; one constant text, sent by POST. All
servers that are compared with each other ran in turn in one run on the same entries, and gave the same answers.

The limit server answers S8 in four ways. "Mercurius, JIT": a hand-written schema whose only resolver reads the page with its
relations ahead; all other fields are properties of the result. "Without execution": the text of the body is looked up, and the
answer is written as text by hand. "Nested limits": each list of categories is limited to ten, as Plinth's are. S8v: the list from
another place in each request, by a variable; so many places that Plinth does not keep the bodies. S8m: S6 by mutation. S8x: S8 with a
field of articles that an extension resolves; the limit server has it, too. S8p: S8 with tokens of ${readers.length} users, whose role has one
rule on each type, which all entries fulfil.

Speed: requests per second divided by those of what it is compared with; the median of the rounds and, in parentheses, the limits of
the middle half. CPU: user and system time of the server per request, of the fastest tenth of the rounds, divided likewise; in
microseconds for both. Statements: of Plinth for a request the first time / later.

${sections.join('\n\n')}
`
}
