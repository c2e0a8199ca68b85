// Resolves the mode of migration of a start, from its option, the environment and config/database.

import { StartError } from '../errors.ts'
import { knownWords } from '../registration/registrar.ts'

/**
 * `add`: adds what is missing and changes nothing else. `check`: refuses to start if steps are pending. `apply`: runs
 * all safe steps first. `none`: leaves the database alone, and starts nothing that needs it.
 */
export type MigrateMode = 'add' | 'check' | 'apply' | 'none'

const modes: readonly string[] = ['add', 'check', 'apply', 'none']

/**
 * Returns the mode from the option, DATABASE_MIGRATE, or `migrate` of config/database, in this order; by default
 * `check` in production and otherwise `add`.
 */
export function resolveMode(option: string | undefined, config: unknown): MigrateMode {
  const settings = config as { migrate?: string } | undefined
  const isProduction = process.env.NODE_ENV === 'production'
  const named = option ?? (process.env.DATABASE_MIGRATE || settings?.migrate) ?? (isProduction ? 'check' : 'add')
  if (!modes.includes(named))
    throw new StartError(
      'PLINTH_CONFIG_INVALID',
      `config/database: migrate "${named}" is not known${knownWords(named, modes)}`,
    )
  return named as MigrateMode
}
