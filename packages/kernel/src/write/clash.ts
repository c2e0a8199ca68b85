// What a database says where a unique index refused a row, and which check of the write it is about.

import type { UniqueCheck } from './parse.ts'

/** The errors of all drivers, as far as they tell something. */
type DriverError = Error & { readonly code?: unknown; readonly detail?: unknown }

/** Did a unique index refuse the row? */
export function isClash(error: unknown): error is DriverError {
  return /^SQLITE_CONSTRAINT_UNIQUE$|^ER_DUP_ENTRY$|^23505$/.test(String((error as DriverError).code))
}

/** Did a foreign key refuse the row: what it points at is gone, or something points at it? */
export function isOrphan(error: unknown): boolean {
  const code = String((error as DriverError).code)
  return /^SQLITE_CONSTRAINT_FOREIGNKEY$|^ER_(NO_REFERENCED_ROW|ROW_IS_REFERENCED)(_2)?$|^23503$/.test(code)
}

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
