// The state of a login: random text with the end of the login and the address to which it leads. The browser keeps it in a
// signed cookie, and the provider sends it back (security.md row 66).

import { createHmac, randomBytes } from 'node:crypto'
import { isSame } from './cookies.ts'

/** The seconds that a login may take at the provider. */
export const lifetime = 600

/** A new state for a login that leads to `target`. */
export function makeState(target: string): string {
  const end = Math.floor(Date.now() / 1000) + lifetime
  return `${randomBytes(24).toString('base64url')}.${end.toString(36)}.${Buffer.from(target).toString('base64url')}`
}

/**
 * Returns the address to which the login leads whose state was sent back; null if it is not `storedState`, the state in
 * this browser, or has ended.
 */
export function targetIn(sentState: unknown, storedState: string | undefined): string | null {
  if (typeof sentState !== 'string' || storedState === undefined || !isSame(sentState, storedState)) return null
  const [, end = '', target = ''] = sentState.split('.')
  return Number.parseInt(end, 36) * 1000 > Date.now() ? Buffer.from(target, 'base64url').toString() : null
}

/** The text that an ID token for this login contains: who knows the state does not know it. */
export function nonceOf(key: Buffer, state: string): string {
  return createHmac('sha256', key).update(`nonce ${state}`).digest('base64url')
}
