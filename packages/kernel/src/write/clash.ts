// Which check of a write it is that a unique index refused.

import type { DriverError } from '../database/clash.ts'
import type { UniqueCheck } from './parse.ts'

/** The check it is about; undefined where the database says too little. */
export function findClash(error: DriverError, checks: readonly UniqueCheck[]): UniqueCheck | undefined {
  return checks.find(check => isAbout(error, check)) ?? (checks.length === 1 ? checks[0] : undefined)
}

/** SQLite and PostgreSQL name the columns, MySQL the index. */
function isAbout(error: DriverError, { type: { table }, values }: UniqueCheck): boolean {
  const columns = [...values.keys()].map(one => one.column)
  if (error.code === 'SQLITE_CONSTRAINT_UNIQUE')
    return error.message.endsWith(`: ${columns.map(one => `${table}.${one}`).join(', ')}`)
  if (error.code === '23505')
    return String(error.detail)
      .replaceAll('"', '')
      .startsWith(`Key (${columns.join(', ')})=`)
  return /for key '(?:.*\.)?(.*)'$/.exec(error.message)?.[1] === `${table}_${columns.join('_')}_unique`
}
