// Codes: in mails, for resetting a password and for confirming an address (B-6.43, security.md row 64), and in the redirect
// that ends a login by a third party. A code holds the id of its user and its end, so that one row is read to check it;
// what is stored is its hash. Kinds differ in length, so none is taken for another.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** A kind of code: its length in hex, and the milliseconds for which it is valid. */
export interface CodeKind {
  readonly bytes: number
  readonly lifetime: number
}

/** v4's lengths. A reset must happen within an hour, a confirmation within 30 days. */
export const resetCode: CodeKind = { bytes: 64, lifetime: 3_600_000 }
export const confirmationCode: CodeKind = { bytes: 20, lifetime: 30 * 86_400_000 }
/** The front end sends it back at once. */
export const loginCode: CodeKind = { bytes: 48, lifetime: 120_000 }

/** A new code, and the text that is stored for it. */
export interface NewCode {
  readonly code: string
  readonly stored: string
}

const idBytes = 5
const timeBytes = 4
const headBytes = idBytes + timeBytes

/** Makes a code for the user with this id. */
export function makeCode(kind: CodeKind, userId: number): NewCode {
  const head = Buffer.alloc(headBytes)
  head.writeUIntBE(userId, 0, idBytes)
  head.writeUInt32BE(Math.ceil((Date.now() + kind.lifetime) / 1000), idBytes)
  const code = Buffer.concat([head, randomBytes(kind.bytes - headBytes)]).toString('hex')
  return { code, stored: storedOf(code) }
}

/** The id of the user whose code this may be; null if it is not a code of that kind, or has ended. */
export function userOf(kind: CodeKind, code: unknown): number | null {
  if (typeof code !== 'string' || code.length !== 2 * kind.bytes || !/^[\da-f]+$/.test(code)) return null
  const head = Buffer.from(code.slice(0, 2 * headBytes), 'hex')
  const end = head.readUInt32BE(idBytes) * 1000
  return end < Date.now() ? null : head.readUIntBE(0, idBytes)
}

/** The text that is stored for a code. */
export function storedOf(code: string): string {
  return `sha256:${createHash('sha256').update(code).digest('hex')}`
}

/** Returns whether a code is the one for which `stored` is stored, in constant time. */
export function isStored(code: string, stored: unknown): boolean {
  if (typeof stored !== 'string') return false
  const [hash, storedHash] = [Buffer.from(storedOf(code)), Buffer.from(stored)]
  return hash.length === storedHash.length && timingSafeEqual(hash, storedHash)
}
