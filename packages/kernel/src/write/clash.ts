// Which check of a write it is that a unique index refused.

import { isClashOf } from '../database/clash.ts'
import type { UniqueCheck } from './parse.ts'

/** The check it is about; undefined where the database says too little. */
export function findClash(error: unknown, checks: readonly UniqueCheck[]): UniqueCheck | undefined {
  return checks.find(check => isAbout(error, check)) ?? (checks.length === 1 ? checks[0] : undefined)
}

function isAbout(error: unknown, { type: { table }, values }: UniqueCheck): boolean {
  return isClashOf(error, { table, columns: [...values.keys()].map(one => one.column) })
}
