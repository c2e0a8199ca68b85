// What a start may do to the database, and who says so.

import { StartError } from '../errors.ts'
import { suggestion } from '../nearest.ts'

/**
 * `add`: what is missing is added, and nothing else changes. `check`: a start refuses where something is to be done. `apply`:
 * all safe steps are done first. `none`: the database is left alone, and nothing that needs it starts.
 */
export type MigrateMode = 'add' | 'check' | 'apply' | 'none'

const modes: readonly string[] = ['add', 'check', 'apply', 'none']

/** The option, DATABASE_MIGRATE, config/database's `migrate`, in this order; else production checks and all else adds. */
export function resolveMode(option: string | undefined, config: unknown): MigrateMode {
  const settings = config as { migrate?: string } | undefined
  const isProduction = process.env.NODE_ENV === 'production'
  const named = option ?? (process.env.DATABASE_MIGRATE || settings?.migrate) ?? (isProduction ? 'check' : 'add')
  if (!modes.includes(named))
    throw new StartError(
      'PLINTH_CONFIG_INVALID',
      `config/database: migrate "${named}" is not known${suggestion(named, modes) || `: ${modes.join(', ')}`}`,
    )
  return named as MigrateMode
}
