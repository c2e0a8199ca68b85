// Hashes and verifies texts by bcrypt as v4 does (B-4.27, B-6.44), off the event loop. It knows neither models nor users.

import { hash, verify } from '@node-rs/bcrypt'

/** bcrypt ignores what follows: two long passwords could be equal (security.md row 63). */
export const maxPasswordBytes = 72

/** v4's cost: the binary logarithm of the number of rounds. */
export const defaultCost = 10

/** Returns the hash of a password, with a salt of its own. */
export function hashPassword(password: string, cost: number = defaultCost): Promise<string> {
  return hash(password, { cost, version: '2a' })
}

/** Returns whether a password is that of a hash. A password above 72 bytes is that of no hash. */
export async function verifyPassword(password: string, hashed: string): Promise<boolean> {
  return Buffer.byteLength(password) <= maxPasswordBytes && (await verify(password, hashed))
}

/** Returns whether a stored text is a hash by bcrypt. */
export function isBcryptHash(text: string): boolean {
  return /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/.test(text)
}
