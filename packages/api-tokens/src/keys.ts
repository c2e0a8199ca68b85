// Makes keys and hashes them as v4 does (B-6.70, B-6.71), so that the tokens of its database stay valid.

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** A new key: 128 random bytes in hex. */
export const makeKey = (): string => randomBytes(128).toString('hex')

/** Returns what is stored of a key: HMAC-SHA512 with the salt, in hex. */
export const hashKey = (salt: string, key: string): string => createHmac('sha512', salt).update(key).digest('hex')

/** Compares two hashes in a time that does not depend on where they differ (security.md A.5). */
export function isSameHash(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

const bearer = /^bearer\s+(\S+)\s*$/i

/** A JWT has three parts between dots. The keys of API tokens have no dots, so users' tokens cost no look-up here. */
const jwt = /^[\w-]+\.[\w-]+\.[\w-]*$/

/** The key in an `Authorization` header; null if it is not `Bearer <word>`, or if the word is a JWT. */
export function keyIn(header: string | readonly string[] | undefined): string | null {
  if (typeof header !== 'string') return null
  const key = bearer.exec(header)?.[1]
  return key === undefined || jwt.test(key) ? null : key
}
