// The report that the tests of a package write, for what is printed after all packages.

import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Client } from '../databases.ts'
import type { Failure, MeasuredFile } from './group-process.ts'

export interface Report {
  /** The name of the package. */
  readonly name: string
  readonly seconds: number
  readonly passed: number
  readonly failures: readonly Failure[]
  readonly files: readonly MeasuredFile[]
  /** Processes that ran files, without those that the files started. */
  readonly processes: number
  readonly databases: readonly Client[]
}

/** The root of the workspace. */
export const root = join(import.meta.dirname, '../../../..')

const pathOf = (folder: string) => join(folder, '.tap/report.json')

export function writeReport(folder: string, report: Report): void {
  writeFileSync(pathOf(folder), JSON.stringify(report))
}

/** The report of the last run of the tests of the package in `folder`; null without one since the time `since`. */
export function readReport(folder: string, since = 0): Report | null {
  const stat = statSync(pathOf(folder), { throwIfNoEntry: false })
  return stat === undefined || stat.mtimeMs < since ? null : JSON.parse(readFileSync(pathOf(folder), 'utf8'))
}

/** The folders of all packages that have tests, relative to the root of the workspace. */
export function packageFolders(): string[] {
  const manifests = globSync(
    ['packages/*/package.json', '{apps,acceptance}/*/package.json', '{contract,release}/package.json'],
    {
      cwd: root,
    },
  )
  const hasTests = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')).scripts?.test !== undefined
  return manifests
    .filter(hasTests)
    .map(path => dirname(path))
    .sort()
}
