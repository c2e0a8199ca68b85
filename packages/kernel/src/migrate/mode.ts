// Resolves the mode of migration of a start, from its option, the environment and config/database.

import { StartError } from '../errors.ts'
import { knownWords } from '../registration/registrar.ts'

/**
 * `add`: adds what is missing and changes nothing else. `check`: refuses to start if steps are pending. `apply`: runs
 * all safe steps first. `none`: leaves the database alone, and starts nothing that needs it.
 */
export type MigrateMode = 'add' | 'check' | 'apply' | 'none'

const modes: readonly string[] = ['add', 'check', 'apply', 'none']

/** A mode with the setting that contains it. */
interface SourcedMode {
  readonly mode: unknown
  readonly source: string
}

/**
 * Returns the mode from the option, DATABASE_MIGRATE, or `setting`, which is `migrate` of config/database, in this order;
 * by default `check` in production and otherwise `add`.
 */
export function resolveMode(option: string | undefined, setting: unknown): MigrateMode {
  const { mode, source } = namedMode(option, setting)
  if (mode === undefined) return process.env.NODE_ENV === 'production' ? 'check' : 'add'
  if (typeof mode === 'string' && modes.includes(mode)) return mode as MigrateMode
  throw new StartError(
    'PLINTH_CONFIG_INVALID',
    `${source} ${JSON.stringify(mode)} is not known${knownWords(String(mode), modes)}`,
  )
}

function namedMode(option: string | undefined, setting: unknown): SourcedMode {
  if (option !== undefined) return { mode: option, source: 'the option migrate:' }
  const variable = process.env.DATABASE_MIGRATE
  if (variable) return { mode: variable, source: 'The environment variable DATABASE_MIGRATE:' }
  return { mode: setting ?? undefined, source: 'config/database: migrate' }
}
