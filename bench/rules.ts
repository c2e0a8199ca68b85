// Measures what users, roles and rules cost, and writes rules.md: rules on every type beside a server that is open to
// everybody; the rule of a tenant on many and on few rows (tenants.ts); logins beside other requests (logins.ts).
// `ONLY=S1,S3 node rules.ts` measures these scenarios of the first part, and nothing else; `NAMES=open,scalar` these servers.

import { writeFileSync } from 'node:fs'
import { readers, sentBy, stranger } from './callers.ts'
import { preparePlinth } from './data/prepare.ts'
import { loginsAbout, measureLogins } from './logins.ts'
import { CONNECTIONS, DATABASES, NAMES, ONLY, WARM_UP } from './options.ts'
import { commit, machine, table } from './report.ts'
import { requireSame } from './same.ts'
import { createScenarios, type Scenario, writes } from './scenarios.ts'
import { startServer } from './server.ts'
import { countStatements, type StatementCount } from './statements.ts'
import type { Store } from './store/store.ts'
import { reachStores } from './store/stores.ts'
import { measureTenants, tenantsAbout } from './tenants.ts'
import { measureInTurn, ROUND_SECONDS, ROUNDS, type Round, SITTINGS, speedRatio, timeRatio, times } from './turns.ts'

const all = ['open', 'public', 'scalar', 'linked'] as const
type Name = (typeof all)[number]

/** The servers that run: `open` always, because the others are compared with it. */
const names: readonly Name[] = all.filter(name => name === 'open' || (NAMES?.includes(name) ?? true))

/** Those that send tokens. */
const ruled: readonly Name[] = ['scalar', 'linked']

/** The scenarios that are measured by default: those that read. */
const MEASURED = ONLY ?? ['S1', 'S2', 'S3', 'S4', 'S5']

const before = machine()
const sections: string[] = []
for (const { store, title } of await reachStores()) {
  try {
    const parts = [`## ${title}`, `### Rules\n\n${await measureRules(store)}`]
    if (ONLY === null) {
      parts.push(`### Tenants\n\n${await measureTenants(store)}`, `### Logins\n\n${await measureLogins(store)}`)
    }
    sections.push(...parts)
  } finally {
    await store.close()
  }
}
const report = createReport()
console.log(report)
// Results of some scenarios would look like the whole table.
if (ONLY === null && DATABASES === null && NAMES === null) writeFileSync(new URL('rules.md', import.meta.url), report)

async function measureRules(store: Store): Promise<string> {
  let ids: readonly number[] = []
  for (const name of names) ids = await preparePlinth(store, name, name, [...readers, stranger])
  const scenarios = createScenarios(store.client, ids).filter(({ key }) => MEASURED.includes(key))
  const requests = scenarios.map(scenario => names.map(name => sent(name, scenario)))
  await requireSame(
    await Promise.all(names.map(async name => startServer(name, await store.copy(name, false), name))),
    requests,
  )
  const counts = new Map<Name, ReadonlyMap<string, StatementCount>>()
  for (const name of names) {
    const own = scenarios.map(scenario => sent(name, scenario))
    counts.set(name, await countStatements(store, own, name, name))
  }
  const rows: string[][] = []
  for (const scenario of scenarios) {
    const rounds = await measureInTurn(
      names.map(name => ({
        name,
        scenario: sent(name, scenario),
        start: async () => startServer(name, await store.copy(name, writes(scenario)), name),
      })),
    )
    rows.push(cells(scenario, rounds, counts))
  }
  const head = names.slice(1).flatMap(name => [`${name}: speed / open`, 'CPU / open'])
  return table([['', 'request', ...head, 'CPU µs', ...counted().map(name => `statements, ${name}`)], ...rows])
}

function sent(name: Name, scenario: Scenario): Scenario {
  return ruled.includes(name) ? sentBy(readers, scenario) : scenario
}

function cells(
  { key, name }: Scenario,
  rounds: readonly Round<Name>[],
  counts: ReadonlyMap<Name, ReadonlyMap<string, StatementCount>>,
): string[] {
  const ratios = names.slice(1).flatMap(of => [speedRatio(rounds, of, 'open'), timeRatio(rounds, of, 'open')])
  const statements = counted().map(of => {
    const { first, later } = counts.get(of)!.get(key)!
    return `${first} / ${later}`
  })
  return [key, name, ...ratios, times(rounds, names), ...statements]
}

/** The servers whose statements are shown: those of `public` are those of `open`. */
function counted(): readonly Name[] {
  return names.filter(name => name !== 'public')
}

function createReport(): string {
  return `# What users and rules cost

Written by \`pnpm --filter bench rules\`.

- Commit: ${commit()}
- Machine: ${before}
- Node ${process.version}; databases on the same machine, each with its own default configuration
- ${CONNECTIONS} connections; servers started ${SITTINGS} times, ${ROUNDS} rounds of ${ROUND_SECONDS} s on each after ${WARM_UP} s of warm-up

**Rules.** Plinth with users-permissions, compared with Plinth without it, in turn in one run on the same entries, with the same
answers. "Open": without the plugin, so that everybody may do everything; requests have no token. "Public": with the plugin, and
a public role that may do everything; requests have no token. "Scalar": requests have the token of one of ${readers.length} users whose role has
one rule on each type, \`level: { $lte: '$user.level' }\`, which all entries fulfil. "Linked": the same, but the rules of articles and
comments are \`author: { level: { $lte: '$user.level' } }\`. All four have drafts.

Speed: requests per second divided by those of the open server; the median of the rounds and, in parentheses, the limits of the
middle half. CPU: user and system time of the server per request, of the fastest tenth of the rounds, divided likewise; in
microseconds for ${names.join(', ')}. Statements: for a request the first time / later; those that read a user or look whether
roles have changed are once in five seconds.

**Tenants.** ${tenantsAbout}

**Logins.** ${loginsAbout}

${sections.join('\n\n')}
`
}
