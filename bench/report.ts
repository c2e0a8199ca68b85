// Writes the measurements as a Markdown page, with the machine and the commit.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import type { Sample } from './load.ts'
import { CONNECTIONS, DRAFTS, RUNS, SECONDS, WARM_UP } from './options.ts'
import type { Scenario } from './scenarios.ts'
import type { StatementCount } from './statements.ts'

export interface Result {
  readonly scenario: Scenario
  readonly plinth: readonly Sample[]
  readonly limit: readonly Sample[]
  readonly statements: StatementCount
}

/** A load above a few tenths means that other programs were running, so the ratios are less exact. */
const loadBefore = loadavg()[0]!.toFixed(1)

export function machine(): string {
  const size = `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`
  return `${cpus()[0]!.model.trim()}, ${size}, ${process.platform}; load average before the run ${loadBefore}`
}

/** The measurements on one database. */
export interface Section {
  readonly title: string
  readonly results: readonly Result[]
}

export function createReport(sections: readonly Section[]): string {
  return `# Bench results

Plinth and the hand-written limit server (\`limit/\`), measured in turn in one run on the same data, with server and load
generator on the same machine. Only the ratios can be compared with other machines. Written by \`pnpm bench\`.

- Commit: ${commit()}
- Machine: ${machine()}
- Node ${process.version}; databases on the same machine, each with its own default configuration
- ${CONNECTIONS} connections, ${SECONDS} s after ${WARM_UP} s of warm-up, ${RUNS} runs of both servers in turn; writes begin with a fresh copy of the data
- Drafts: ${DRAFTS ? 'hidden by both (9,043 of 10,000 articles are published)' : 'used by neither (10,000 articles)'}

Ratio: Plinth's requests per second divided by those of the limit server; the median of the runs and, in parentheses, the
lowest and the highest. The other figures are means. CPU: user and system time of the server process per request. p50 and
p99 are milliseconds. Statements: SQL statements of Plinth for a request the first time / later, including those of
transactions and \`PRAGMA data_version\`. On SQLite both servers cache totals and see by \`data_version\` when these are out of
date; on database servers both count for every list, except in S1r.

${sections.map(({ title, results }) => `## ${title}\n\n${table([HEAD, ...results.map(cells)])}${besideRelations(results)}`).join('\n\n')}

${readFileSync(new URL('lessons.md', import.meta.url), 'utf8')}`
}

const HEAD = [
  '',
  'request',
  'ratio',
  'Plinth/s',
  'limit/s',
  'Plinth p50, p99',
  'limit p50, p99',
  'Plinth CPU µs',
  'limit CPU µs',
  'CPU ratio',
  'statements',
]

/** A Markdown table. The first row is the head; columns are padded as the formatter does it. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(3, ...rows.map(row => row[column]!.length)))
  const line = (row: readonly string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`
  const [head, ...body] = rows
  return [line(head!), line(widths.map(width => '-'.repeat(width))), ...body.map(line)].join('\n')
}

function cells({ scenario, plinth, limit, statements }: Result): string[] {
  const p = mean(plinth)
  const l = mean(limit)
  const ratios = plinth.map((sample, run) => sample.requestsPerSecond / limit[run]!.requestsPerSecond)
  return [
    scenario.key,
    scenario.name,
    `**${median(ratios).toFixed(2)}** (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`,
    whole(p.requestsPerSecond),
    whole(l.requestsPerSecond),
    `${p.p50.toFixed(1)}, ${p.p99.toFixed(1)}`,
    `${l.p50.toFixed(1)}, ${l.p99.toFixed(1)}`,
    whole(p.cpuMicroseconds),
    whole(l.cpuMicroseconds),
    (p.cpuMicroseconds / l.cpuMicroseconds).toFixed(2),
    `${statements.first} / ${statements.later}`,
  ]
}

/** S3m beside S3 on each server: what files cost that other relations do not. */
function besideRelations(results: readonly Result[]): string {
  const find = (key: string) => results.find(({ scenario }) => scenario.key === key)
  const [relations, media] = [find('S3'), find('S3m')]
  if (relations === undefined || media === undefined) return ''
  const of = (side: 'plinth' | 'limit') => {
    const [one, other] = [mean(media[side]), mean(relations[side])]
    const speed = one.requestsPerSecond / other.requestsPerSecond
    return `${speed.toFixed(2)} of the speed and ${(one.cpuMicroseconds / other.cpuMicroseconds).toFixed(2)} of the CPU time`
  }
  return `\n\nS3m beside S3: Plinth ${of('plinth')}, the limit server ${of('limit')}.`
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2
}

function mean(samples: readonly Sample[]): Sample {
  const of = (member: keyof Sample) => samples.reduce((sum, sample) => sum + sample[member], 0) / samples.length
  return {
    requestsPerSecond: of('requestsPerSecond'),
    p50: of('p50'),
    p99: of('p99'),
    cpuMicroseconds: of('cpuMicroseconds'),
  }
}

const whole = (value: number) => Math.round(value).toLocaleString('en')

/** The short hash of the commit, with a mark if the measured sources differ from it. */
export function commit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim()
  const changed =
    git(
      'status',
      '--porcelain',
      '--',
      '../packages',
      '.',
      ':!results.md',
      ':!plugins.md',
      ':!rules.md',
      ':!graphql.md',
    ) !== ''
  return `${git('rev-parse', '--short', 'HEAD')}${changed ? ', with uncommitted changes' : ''}`
}
