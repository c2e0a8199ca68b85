// Distributes test files over processes: loading the modules of a package once serves all files of a group.

import type { Client } from '../databases.ts'
import type { TestRun } from './settings.ts'

/** Files that one process runs. */
export interface Group {
  readonly client: Client | null
  readonly files: readonly string[]
  readonly isAlone: boolean
  /** True if the file takes long. */
  readonly isLong: boolean
}

/**
 * Maximum number of files of a group. Loading tap and Plinth takes a second of the processor; larger groups would not
 * keep all cores busy to the end.
 */
const maxFiles = 24

/** The same of files that take long. */
const maxLong = 2

/** Groups of neighbouring files. Files that must be alone have one of their own; they and long files come first. */
export function groupRuns(runs: readonly TestRun[]): Group[] {
  const groups: { client: Client | null; files: string[]; isAlone: boolean; isLong: boolean }[] = []
  for (const { client, file, isAlone, isLong } of runs) {
    const fitting = groups.findLast(one => one.client === client && one.isLong === isLong && !one.isAlone)
    if (isAlone || fitting === undefined || fitting.files.length === (isLong ? maxLong : maxFiles))
      groups.push({ client, files: [file], isAlone, isLong })
    else fitting.files.push(file)
  }
  return groups.sort((a, b) => Number(b.isLong) - Number(a.isLong))
}
