// Distributes test files over processes: loading the modules of a package once serves all files of a group.

import type { Client } from '../databases.ts'
import type { TestRun } from './settings.ts'

/** Files that one process runs. */
export interface Group {
  readonly client: Client | null
  readonly files: readonly string[]
  readonly isAlone: boolean
  /** Whether the file takes long. */
  readonly isLong: boolean
}

/** Maximum number of files of a group: enough to make loading cheap, few enough to keep all cores busy to the end. */
const maxFiles = 8

/** Groups of neighbouring files. Long files, and those that must be alone, have one of their own, and come first. */
export function groupRuns(runs: readonly TestRun[]): Group[] {
  const groups: { client: Client | null; files: string[]; isAlone: boolean; isLong: boolean }[] = []
  for (const { client, file, isAlone, isLong } of runs) {
    const fitting = groups.findLast(one => one.client === client && !one.isLong)
    if (isLong || fitting === undefined || fitting.files.length === maxFiles)
      groups.push({ client, files: [file], isAlone, isLong })
    else fitting.files.push(file)
  }
  return groups.sort((a, b) => Number(b.isLong) - Number(a.isLong))
}
