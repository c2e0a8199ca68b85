// Distributes test files over processes: loading the modules of a package once serves all files of a group.

import type { Client } from '../databases.ts'
import type { TestRun } from './settings.ts'

/** Files that one process runs. */
export interface Group {
  readonly client: Client | null
  readonly files: readonly string[]
}

/** Maximum number of files of a group: enough to make loading cheap, few enough to keep all cores busy to the end. */
const maxFiles = 8

/**
 * Groups of neighbouring files. Long ones are started first, so that no core waits for one that began last; `duration`
 * is what a file took the last time, or null.
 */
export function groupRuns(runs: readonly TestRun[], duration: (run: TestRun) => number | null): Group[] {
  const groups: { client: Client | null; files: string[]; isAlone: boolean; duration: number }[] = []
  for (const run of runs) {
    const group = groups.find(
      one => !one.isAlone && !run.isAlone && one.client === run.client && one.files.length < maxFiles,
    )
    const expected = duration(run) ?? 0
    if (group === undefined)
      groups.push({ client: run.client, files: [run.file], isAlone: run.isAlone, duration: expected })
    else {
      group.files.push(run.file)
      group.duration += expected
    }
  }
  return groups.sort((a, b) => b.duration - a.duration)
}
