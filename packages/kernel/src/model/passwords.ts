// Passwords are stored as v4 stores them, so that v4 can still check them: bcrypt, cost 10 (B-4.27).

import { hash } from '@node-rs/bcrypt'

/** Runs outside the event loop. `encryption.rounds` of the attribute overrides the cost. */
export function preparePassword(value: unknown, options: Readonly<Record<string, unknown>>): Promise<string> {
  const rounds = (options.encryption as { rounds?: number } | undefined)?.rounds ?? 10
  return hash(String(value), { cost: rounds, version: '2a' })
}
