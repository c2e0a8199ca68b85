// Reads which test files a package has and how they run, from its folder and its file tests.json. It must not know how
// they are distributed over processes.

import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '../databases.ts'

/** The file tests.json of a package. Paths of files and folders are relative to it. */
interface Settings {
  /** Files and folders that run once more on each server: their databases are those of TEST_DATABASE. */
  readonly onServers?: readonly string[]
  /** Files that need a process of their own, with the reason. */
  readonly alone?: Readonly<Record<string, string>>
  /** Files that take long: they start first. */
  readonly long?: readonly string[]
  /** Modules that stand in for others, by the end of the path of these. Files that are `alone` get the real ones. */
  readonly standIns?: Readonly<Record<string, string>>
  /** A module with `prepare`, which runs before the files, and perhaps `remove`, which runs after them. */
  readonly setup?: string
}

/** A test file on one kind of database; null is the one that the file chooses itself. */
export interface TestRun {
  readonly file: string
  readonly client: Client | null
  readonly isAlone: boolean
  readonly isLong: boolean
}

export interface PackageTests {
  readonly runs: readonly TestRun[]
  readonly setup: string | null
  readonly standIns: Readonly<Record<string, string>>
}

/**
 * The test files of a package, or those of them that `testPaths` names as files or folders. Throws an error that names
 * what does not exist.
 */
export function readTests(folder: string, testPaths: readonly string[], databases: readonly Client[]): PackageTests {
  const path = join(folder, 'tests.json')
  const settings: Settings = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
  const { onServers = [], alone = {}, long = [], setup = null, standIns = {} } = settings
  const exclude = (name: string) => /(?:^|\/)(?:node_modules|dist|\.[^/]+|fixtures)$/.test(name)
  const files = globSync('**/*.test.ts', { cwd: folder, exclude }).sort()
  const lies = (file: string, paths: readonly string[]) => paths.some(one => file === one || file.startsWith(`${one}/`))
  for (const name of [...onServers, ...Object.keys(alone), ...long]) {
    if (!files.some(file => lies(file, [name]))) throw new Error(`tests.json names "${name}", which has no test files`)
  }
  const names = testPaths.map(name => name.replace(/^\.\//, '').replace(/\/$/, ''))
  for (const name of names) {
    if (!files.some(file => lies(file, [name]))) throw new Error(`"${name}" is not a test file of this package`)
  }
  const chosen = names.length === 0 ? files : files.filter(file => lies(file, names))
  const servers = databases.filter(client => client !== 'sqlite')
  const runsOf = (file: string): TestRun[] => {
    const isAlone = file in alone
    const isLong = isAlone || long.includes(file)
    const repeated = lies(file, onServers) ? servers : []
    // A file that has nothing to do on SQLite still runs there: it may be one of those that choose by themselves.
    const first = lies(file, onServers) && !databases.includes('sqlite') ? [] : [null]
    return [...first, ...repeated].map(client => ({ file, client, isAlone, isLong }))
  }
  return { runs: chosen.flatMap(runsOf), setup, standIns }
}
