// Hashes and verifies passwords: scrypt for new ones, bcrypt for those of v4 (B-6.44, security.md rows 62 and 63). It
// knows no users: who stores a hash is decided elsewhere.

import { randomBytes, timingSafeEqual } from 'node:crypto'
import {
  defaultCost as bcryptCost,
  costOf,
  type HashPassword,
  hashPassword,
  isBcryptHash,
  maxPasswordBytes,
  verifyPassword,
} from '@plinth/passwords'
import { formatScrypt, parseScrypt } from './phc.ts'
import { Scrypt } from './scrypt.ts'
import { WorkQueue } from './work-queue.ts'

export type Algorithm = 'scrypt' | 'bcrypt'

/** N is 2^15: about 190 ms and 32 MB for a hash. */
const cost = { ln: 15, r: 8, p: 1 } as const
const keyLength = 32

/** The result of a verification. */
export interface Verdict {
  readonly isRight: boolean
  /** A hash by the algorithm of the settings, to be stored in the place of one by the other; else null. */
  readonly upgrade: string | null
}

const wrong: Verdict = { isRight: false, upgrade: null }

/** Returns the algorithm of a stored hash; null if it is not a hash. */
function algorithmOf(stored: string): Algorithm | null {
  if (parseScrypt(stored) !== null) return 'scrypt'
  return isBcryptHash(stored) ? 'bcrypt' : null
}

/** Computes hashes off the event loop. */
export class Passwords {
  readonly #algorithm: Algorithm
  readonly #scrypt = new Scrypt()
  readonly #bcrypt = new WorkQueue({ maxWaiting: 50, message: 'Too many logins at the moment', retryAfter: 5 })
  /** Hashes that were computed ahead, by password. */
  readonly #ahead = new Map<string, string[]>()
  #dummy: Promise<string> | null = null

  constructor(algorithm: Algorithm) {
    this.#algorithm = algorithm
  }

  /** The hash of a password, by the algorithm of the settings. Throws UnavailableError if too many are waiting. */
  async hash(password: string): Promise<string> {
    return this.#algorithm === 'scrypt' ? this.#hashScrypt(password) : this.#hashBcrypt(password, bcryptCost)
  }

  /** Returns the hash that the kernel stores: one that was computed ahead, or a new one. */
  readonly prepare: HashPassword = (password, options) => {
    const ready = this.#ahead.get(password)?.pop()
    if (ready !== undefined) return ready
    return this.#algorithm === 'bcrypt' ? this.#hashBcrypt(password, costOf(options)) : this.hash(password)
  }

  /**
   * Computes the hash of `password` first, then runs `work`, which stores it by the kernel: a hash within a write would
   * keep the connection of its transaction for as long as it takes.
   */
  async hashAhead<T>(password: unknown, work: () => Promise<T>): Promise<T> {
    if (typeof password !== 'string' || !isSettable(password)) return work()
    const hash = await this.hash(password)
    const ready = this.#ahead.get(password) ?? []
    this.#ahead.set(password, [...ready, hash])
    try {
      return await work()
    } finally {
      const left = (this.#ahead.get(password) ?? []).filter(one => one !== hash)
      if (left.length === 0) this.#ahead.delete(password)
      else this.#ahead.set(password, left)
    }
  }

  /**
   * Compares a password with a stored hash. It takes as long without a hash (null), and with a hash of the other
   * algorithm, so that the time does not say whether there is such a user (security.md row 62).
   */
  async verify(password: string, stored: string | null): Promise<Verdict> {
    const algorithm = stored === null ? null : algorithmOf(stored)
    // bcrypt would compare the first 72 bytes alone.
    if (algorithm === null || Buffer.byteLength(password) > maxPasswordBytes) {
      await this.#verify(this.#algorithm, 'any password', await this.#dummyHash())
      return wrong
    }
    if (algorithm === this.#algorithm)
      return { isRight: await this.#verify(algorithm, password, stored!), upgrade: null }
    // The hash by which this one will be replaced is computed meanwhile, and makes the time that of the algorithm.
    const [isRight, upgrade] = await Promise.all([this.#verify(algorithm, password, stored!), this.hash(password)])
    return { isRight, upgrade: isRight ? upgrade : null }
  }

  close(): Promise<void> {
    return this.#scrypt.close()
  }

  async #verify(algorithm: Algorithm, password: string, stored: string): Promise<boolean> {
    if (algorithm === 'bcrypt') return this.#bcrypt.run(() => verifyPassword(password, stored))
    const { ln, r, p, salt, hash } = parseScrypt(stored)!
    const key = await this.#scrypt.derive({ password: Buffer.from(password), salt, ln, r, p, length: hash.length })
    return timingSafeEqual(key, hash)
  }

  async #hashScrypt(password: string): Promise<string> {
    const salt = randomBytes(16)
    const hash = await this.#scrypt.derive({ password: Buffer.from(password), salt, ...cost, length: keyLength })
    return formatScrypt({ ...cost, salt, hash })
  }

  #hashBcrypt(password: string, cost: number): Promise<string> {
    return this.#bcrypt.run(() => hashPassword(password, cost))
  }

  /** A hash that no password has. It needs no computation of its own. */
  #dummyHash(): Promise<string> {
    this.#dummy ??=
      this.#algorithm === 'scrypt'
        ? Promise.resolve(formatScrypt({ ...cost, salt: randomBytes(16), hash: randomBytes(keyLength) }))
        : this.#hashBcrypt(randomBytes(32).toString('base64'), bcryptCost)
    return this.#dummy
  }
}

/** Returns whether the kernel would accept a password: what it refuses need not be hashed. */
function isSettable(password: string): boolean {
  return password.length > 0 && Buffer.byteLength(password) <= maxPasswordBytes
}
