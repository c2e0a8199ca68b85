// Distributes test files over processes: loading the modules of a package once serves all files of a group.

import type { Client } from '../databases.ts'
import type { TestRun } from './settings.ts'

/** Files that one process runs. */
export interface Group {
  readonly isAlone: boolean
  readonly client: Client | null
  readonly files: readonly string[]
}

/** Maximum number of files of a group: enough to make loading cheap, few enough to keep all cores busy to the end. */
const maxFiles = 8

/** Groups of neighbouring files. Files that need a process of their own come first, because they take longest. */
export function groupRuns(runs: readonly TestRun[]): Group[] {
  const alone = runs.filter(one => one.isAlone).map(({ client, file }) => ({ isAlone: true, client, files: [file] }))
  const groups: { readonly isAlone: false; readonly client: Client | null; readonly files: string[] }[] = []
  for (const { client, file } of runs.filter(one => !one.isAlone)) {
    const group = groups.findLast(one => one.client === client)
    if (group === undefined || group.files.length === maxFiles) groups.push({ isAlone: false, client, files: [file] })
    else group.files.push(file)
  }
  return [...alone, ...groups]
}
