// The environment of processes whose coverage is measured: record.ts is preloaded into each of them.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns whether a run of tests is measured: `pnpm coverage` sets this. */
export const isMeasured = (): boolean => process.env.PLINTH_MEASURE === 'true'

/** The environment for measured tests of the package in `folder`. Removes the notes of earlier runs. */
export function measuredEnvironment(folder: string, databases: readonly string[]): NodeJS.ProcessEnv {
  const env = { ...process.env }
  const coverage = join(folder, '.coverage')
  // Code from a cache of compiled modules is not measured block by block.
  delete env.NODE_COMPILE_CACHE
  env.NODE_DISABLE_COMPILE_CACHE = '1'
  rmSync(coverage, { recursive: true, force: true })
  mkdirSync(coverage)
  writeFileSync(join(coverage, 'run.json'), JSON.stringify({ databases }))
  const preload = `--import=${new URL('record.ts', import.meta.url)}`
  env.PLINTH_COVERAGE = join(coverage, 'notes')
  env.PLINTH_PRELOAD = preload
  env.NODE_OPTIONS = `${env.NODE_OPTIONS ?? ''} ${preload}`.trim()
  return env
}
