// Signs and reads the tokens of users: HS256, with an end (B-6.15, security.md row 57). It knows no users but their ids.

import { StartError } from '@plinth/kernel'
import { secondsOf, units } from './spans.ts'

/** The part of @fastify/jwt that is used. */
export interface Signer {
  sign(payload: object): string
  verify<Payload extends object>(token: string): Payload
}

/** The content of a token. */
export interface Token {
  readonly userId: number
  /** When it was issued, in milliseconds: the beginning of its second, or the moment itself if that was needed. */
  readonly issuedAt: number
  /** When it ends, in milliseconds. */
  readonly endsAt: number
}

interface Payload {
  readonly id?: unknown
  readonly iat?: unknown
  readonly exp?: unknown
  readonly ms?: unknown
}

/** The seconds for which a token is valid. Throws StartError for a value that is not a span of at least a second. */
export function lifetimeOf(expiresIn: string | number): number {
  const seconds = typeof expiresIn === 'number' ? expiresIn : secondsOf(expiresIn)
  if (seconds !== null && seconds >= 1) return Math.floor(seconds)
  throw new StartError(
    'PLINTH_CONFIG_INVALID',
    `config/plugins: users-permissions.config.jwt.expiresIn: "${expiresIn}" is not a span of at least a second; units are ${units}`,
  )
}

/** Signs and reads tokens. */
export class Tokens {
  readonly #signer: () => Signer
  readonly #lifetime: number

  /** `signer` is asked when the first token is signed or read, which a server does. */
  constructor(signer: () => Signer, lifetime: number) {
    this.#signer = signer
    this.#lifetime = lifetime
  }

  /**
   * A token for the user with this id. `validFrom` is the time before which tokens of the user are not valid, in
   * milliseconds. Seconds are what `iat` holds: a token of the same second says the millisecond, too.
   */
  issue(id: number, validFrom: number | null): string {
    // A clock that goes a little differently from that of another process must not make a token that is not valid yet.
    const now = Math.max(Date.now(), validFrom ?? 0)
    const iat = Math.floor(now / 1000)
    const needsMoment = validFrom !== null && iat * 1000 < validFrom
    return this.#signer().sign({ id, iat, exp: iat + this.#lifetime, ...(needsMoment && { ms: now }) })
  }

  /** Returns the content of a token; null if it is not one of ours, has ended, or begins in the future. */
  read(token: string): Token | null {
    if (!isPlain(token)) return null
    let payload: Payload
    try {
      payload = this.#signer().verify<Payload>(token)
    } catch {
      return null
    }
    const { id, iat, exp, ms } = payload
    if (!isId(id) || typeof iat !== 'number' || typeof exp !== 'number') return null
    const now = Date.now()
    const issuedAt = typeof ms === 'number' && Math.floor(ms / 1000) === iat ? ms : iat * 1000
    // Clocks of several processes differ by some seconds.
    if (issuedAt > now + 5000 || exp * 1000 <= now) return null
    return { userId: id, issuedAt, endsAt: exp * 1000 }
  }
}

const isId = (id: unknown): id is number => Number.isSafeInteger(id) && (id as number) > 0

/** Returns whether the header of a token is one that we write: no other algorithm, no `crit`, no key of its own. */
function isPlain(token: string): boolean {
  const end = token.indexOf('.')
  if (end < 1 || end > 200 || token.length > maxLength) return false
  try {
    const header = JSON.parse(Buffer.from(token.slice(0, end), 'base64url').toString()) as Record<string, unknown>
    const { alg, typ, ...others } = header
    return alg === 'HS256' && (typ === undefined || typ === 'JWT') && Object.keys(others).length === 0
  } catch {
    return false
  }
}

/** A longer text is not read: a token has about 150 characters. */
const maxLength = 2048
