// Prints the table of coverage at the end of `pnpm test`: the lines of each published package that the tests of all
// packages ran, on all databases together. `--lines` prints the missed lines, `--set` raises the floors to the result.
// A package below the floor of its coverage.json is a failure.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Line, measure } from './lines.ts'
import type { Notes } from './record.ts'

/** `coverage.json` of a package. */
interface CoverageFile {
  /** Percentage of the lines that must run. */
  readonly floor: number
  /** Lines that only a fault reaches, as `file: beginning of the line`, by the reason why no test can cause it. */
  readonly faults: Readonly<Record<string, readonly string[]>>
}

interface Row {
  readonly name: string
  readonly lines: number
  readonly missed: readonly string[]
  readonly named: number
  /** Names in `faults` without effect: their line is gone, or runs. */
  readonly idle: readonly string[]
  readonly percent: number
  readonly expected: CoverageFile
}

const packages = join(import.meta.dirname, '../../..')
const json = (file: string) => JSON.parse(readFileSync(file, 'utf8'))

/** The notes of all processes, by the path of the source. */
function readNotes(): Map<string, (readonly number[])[]> {
  const notes = new Map<string, (readonly number[])[]>()
  const folders = readdirSync(packages).map(name => join(packages, name, '.coverage/notes'))
  for (const folder of folders.filter(one => existsSync(one))) {
    for (const file of readdirSync(folder)) {
      for (const [url, lines] of Object.entries(json(join(folder, file)) as Notes)) {
        const path = fileURLToPath(url)
        notes.set(path, [...(notes.get(path) ?? []), lines])
      }
    }
  }
  return notes
}

/** Measures the sources of a package. */
function rowOf(name: string, notes: ReadonlyMap<string, (readonly number[])[]>): Row {
  const src = join(packages, name, 'src')
  const expected = json(join(packages, name, 'coverage.json')) as CoverageFile
  const names = Object.values(expected.faults).flat()
  const used = new Set<string>()
  let lines = 0
  const missed: string[] = []
  const isNamed = (file: string, { text }: Line) => {
    const fitting = names.filter(one => `${file}: ${text}`.startsWith(one))
    for (const one of fitting) used.add(one)
    return fitting.length > 0
  }
  let namedCount = 0
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'))
  for (const file of files.sort()) {
    const path = join(src, file)
    const measured = measure(readFileSync(path, 'utf8'), notes.get(path) ?? [])
    lines += measured.lines
    for (const line of measured.missed) {
      if (isNamed(file, line)) namedCount++
      else missed.push(`${relative(join(packages, '..'), path)}:${line.number}: ${line.text}`)
    }
  }
  const counted = lines - namedCount
  const percent = counted === 0 ? 100 : Math.floor((1000 * (counted - missed.length)) / counted) / 10
  return { name, lines, missed, named: namedCount, idle: names.filter(one => !used.has(one)), percent, expected }
}

function print(rows: readonly Row[]): void {
  const cells = [
    ['package', 'lines', 'missed', 'only by a fault', 'ran', 'floor'],
    ...rows.map(one => [
      one.name,
      String(one.lines),
      String(one.missed.length),
      String(one.named),
      `${one.percent} %`,
      `${one.expected.floor} %`,
    ]),
  ]
  const widths = cells[0]!.map((_, i) => Math.max(...cells.map(row => row[i]!.length)))
  const pad = (cell: string, i: number) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))
  console.log(cells.map(row => row.map(pad).join('  ')).join('\n'))
}

const measured = readdirSync(packages).filter(name => existsSync(join(packages, name, 'coverage.json')))
const notMeasured = measured.filter(name => !existsSync(join(packages, name, '.coverage/run.json')))
if (notMeasured.length > 0) console.log(`No coverage: the tests of ${notMeasured.join(', ')} did not run as a whole.`)
else {
  const notes = readNotes()
  const rows = measured.map(name => rowOf(name, notes))
  if (process.argv.includes('--lines')) console.log(rows.flatMap(row => row.missed).join('\n'))
  print(rows)
  for (const { name, idle } of rows)
    for (const one of idle) console.log(`${name}/coverage.json names a line that no longer exists, or that ran: ${one}`)
  const { databases } = json(join(packages, 'kernel/.coverage/run.json')) as { databases: readonly string[] }
  if (process.argv.includes('--set')) {
    for (const { name, percent, expected } of rows) {
      // Timing may reduce the result by half a percent.
      const floor = Math.max(expected.floor, Math.floor(2 * percent - 1) / 2)
      writeFileSync(join(packages, name, 'coverage.json'), `${JSON.stringify({ ...expected, floor }, null, 2)}\n`)
    }
  } else if (databases.length < 3)
    console.log(`Floors are only applied to runs on all databases; this run used ${databases.join(', ')}.`)
  else {
    for (const { name, percent, expected } of rows.filter(row => row.percent < row.expected.floor)) {
      console.error(
        `${name}: ${percent} % of the lines ran, but the floor is ${expected.floor} %; \`pnpm coverage --lines\` lists the missed lines`,
      )
      process.exitCode = 1
    }
  }
}
