// Finds the check of a write to which the error of a unique index belongs.

import { isClashOf } from '../database/clash.ts'
import type { UniqueCheck } from './parse.ts'

/** The check that the error is about; undefined if the error of the database does not say enough. */
export function findClash(error: unknown, checks: readonly UniqueCheck[]): UniqueCheck | undefined {
  return checks.find(check => isAbout(error, check)) ?? (checks.length === 1 ? checks[0] : undefined)
}

function isAbout(error: unknown, { type: { table }, values }: UniqueCheck): boolean {
  return isClashOf(error, { table, columns: [...values.keys()].map(one => one.column) })
}
