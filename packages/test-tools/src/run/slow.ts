// `pnpm test:slow`: prints where the time of the last run of all tests went, by package and for the twenty slowest
// files, from the reports that the packages' tests wrote.

import { join } from 'node:path'
import type { MeasuredFile } from './group-process.ts'
import type { FileCost } from './messages.ts'
import { packageFolders, type Report, readReport, root } from './reports.ts'

const maxFiles = Number(process.env.N ?? 20)

const add = (a: FileCost, b: FileCost): FileCost => ({
  wall: a.wall + b.wall,
  loading: a.loading + b.loading,
  databases: a.databases + b.databases,
  processor: a.processor + b.processor,
  waiting: a.waiting + b.waiting,
  written: a.written + b.written,
  processes: a.processes + b.processes,
})
const nothing: FileCost = { wall: 0, loading: 0, databases: 0, processor: 0, waiting: 0, written: 0, processes: 0 }
const sum = (files: readonly MeasuredFile[]) => files.map(one => one.cost).reduce(add, nothing)

const columns = ['seconds', 'processor', 'waiting', 'loading', 'databases', 'MiB to disk', 'processes']

function cells({ wall, processor, waiting, loading, databases, written, processes }: FileCost): string[] {
  const seconds = [wall, processor, waiting, loading, databases].map(time => (time / 1000).toFixed(1))
  return [...seconds, (written / 2 ** 20).toFixed(1), String(processes)]
}

/** Prints rows whose first cell is text, and whose others are numbers. */
function print(rows: readonly (readonly string[])[]): void {
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map(row => row[i]!.length)))
  const pad = (cell: string, i: number) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))
  console.log(rows.map(row => row.map(pad).join('  ').trimEnd()).join('\n'))
}

function printReports(reports: readonly { readonly folder: string; readonly report: Report }[]): void {
  const packages = reports
    .map(({ folder, report }) => ({ folder, cost: sum(report.files), groups: report.processes }))
    .sort((a, b) => b.cost.processor - a.cost.processor)
  const total = packages.map(one => one.cost).reduce(add, nothing)
  const row = (name: string, files: string, cost: FileCost, groups: number) => [
    name,
    files,
    ...cells({ ...cost, processes: cost.processes + groups }),
  ]
  const counts = new Map(reports.map(({ folder, report }) => [folder, report.files.length]))
  print([
    ['package', 'files', ...columns],
    ...packages.map(({ folder, cost, groups }) => row(folder, String(counts.get(folder)), cost, groups)),
    row(
      'all',
      String(reports.reduce((files, one) => files + one.report.files.length, 0)),
      total,
      packages.reduce((groups, one) => groups + one.groups, 0),
    ),
  ])
  const files = reports.flatMap(({ folder, report }) =>
    report.files.map(({ file, client, cost }) => ({ name: `${folder}/${file}${client ? ` (${client})` : ''}`, cost })),
  )
  const slowest = files.sort((a, b) => b.cost.wall - a.cost.wall).slice(0, maxFiles)
  console.log()
  print([['file', ...columns], ...slowest.map(({ name, cost }) => [name, ...cells(cost)])])
  console.log(`
Seconds of files that ran at the same time are added. "processor" includes the processes that a file started and that
have ended; "waiting" is the time in which the process of the file had nothing to do: it waited for a timer, a database or
another process; "loading" is reading, stripping and compiling modules before the first test; "databases" is creating,
emptying and dropping them, without the tables that Plinth makes.`)
}

const reports = packageFolders().flatMap(folder => {
  const report = readReport(join(root, folder))
  return report === null ? [] : [{ folder, report }]
})
if (reports.length === 0) {
  console.error('No tests have run here yet: run `npx pnpm@10 test` first')
  process.exitCode = 1
} else {
  const databases = [...new Set(reports.flatMap(({ report }) => report.databases))]
  console.log(`The last run of ${reports.length} packages, on ${databases.join(', ')}\n`)
  printReports(reports)
}
