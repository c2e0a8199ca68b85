// Passwords are stored as v4 stores them, so that v4 can still check them: bcrypt, cost 10 (B-4.27).

import { hash } from '@node-rs/bcrypt'
import type { ScalarType } from '../model/attribute-types.ts'

/** Off the event loop; `encryption.rounds` of the attribute overrides the cost. */
export const preparePassword: NonNullable<ScalarType['prepare']> = (value, options) => {
  const rounds = (options.encryption as { rounds?: number } | undefined)?.rounds ?? 10
  return hash(String(value), { cost: rounds, version: '2a' })
}
