// Reads files of config/ of a project that may be one of v4, whose files may need v4 to run. Such a file is read as text.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { loadConfig } from '@plinth/kernel'
import { hasV4 } from '../v4-package.ts'
import { type Fault, faultsOf } from './faults.ts'

/** Settings, and what had to be said of their file. */
export interface CheckedSettings {
  readonly value: Readonly<Record<string, unknown>>
  readonly faults: readonly Fault[]
  /** The reason why they were read as text; null if they were not. */
  readonly note: string | null
}

/**
 * The settings of config/<name>. `isOfV4`: a file that does not run here may run in v4, so that this is not a fault.
 */
export async function findSettings(dir: string, name: string, isOfV4: boolean): Promise<CheckedSettings> {
  try {
    return { value: await loadConfig(dir, name), faults: [], note: null }
  } catch (error) {
    const faults = faultsOf(error, `config/${name}`).map(one => ({ ...one, place: one.place.replace(`${dir}/`, '') }))
    if (!hasV4()) return { value: {}, faults, note: null }
    // Not at the top: the parser takes a while to load.
    const { readSettings } = await import('@plinth/v4/settings')
    const read = readSettings({ dir, name, env: variablesOf(dir) })
    const value = read === null || Array.isArray(read) ? {} : (read as Readonly<Record<string, unknown>>)
    const isEmpty = Object.keys(value).length === 0
    if (!isOfV4 || isEmpty) return { value, faults, note: null }
    return {
      value,
      faults: [],
      note: `${faults[0]!.place} was read as text, because it does not run here: ${faults[0]!.what}`,
    }
  }
}

/** The environment with the variables of `.env`, which do not win. */
function variablesOf(dir: string): Record<string, string | undefined> {
  const path = process.env.ENV_PATH ?? join(dir, '.env')
  const own = existsSync(path) ? parseEnv(readFileSync(path, 'utf8').replace(/^\uFEFF/, '')) : {}
  return { ...own, ...process.env }
}
