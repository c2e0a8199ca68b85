// Judges the tokens of requests. A judged token is remembered for at most three seconds, so a request costs no query,
// and a revoked token is refused within five seconds everywhere, also on open connections (security.md rows 58, 59).

import { type Access, type Credentials, CredentialsError, type Kernel } from '@plinth/kernel'
import { LRUCache } from 'lru-cache'
import { accessOf, type TokenAccess } from './access.ts'
import { hashKey, isSameHash, keyIn } from './keys.ts'
import { findSalt, type SaltConfig } from './salt.ts'
import { type TokenRow, tokenUid } from './types.ts'
import { Uses } from './uses.ts'

/** Milliseconds for which a token is not looked up again. */
const memory = 3000

/** A token that exists. */
interface Judged {
  readonly access: TokenAccess
  /** Milliseconds since 1970; null if the token does not expire. */
  readonly expiresAt: number | null
  /** Until when it is remembered, in milliseconds of `performance.now()`. */
  readonly until: number
}

/** The tokens of one kernel. */
export class Tokens {
  readonly #kernel: Kernel
  readonly #config: SaltConfig
  #salt: Promise<string> | null = null
  /** By their keys. Unknown keys are not remembered: guesses must not displace tokens that are in use. */
  readonly #judged = new LRUCache<string, Judged>({ max: 10_000 })
  /** Look-ups that run, so that requests of one token share them. */
  readonly #lookups = new Map<string, Promise<Judged | null>>()
  /** The number of times that `forget` was called. */
  #generation = 0
  readonly uses: Uses

  constructor(kernel: Kernel, config: SaltConfig) {
    this.#kernel = kernel
    this.#config = config
    this.uses = new Uses(
      times => kernel.stamp(tokenUid, 'lastUsedAt', times),
      error => kernel.log.error(error, 'api-tokens: when tokens were last used could not be recorded'),
    )
  }

  /**
   * The strategy: the rights of the token in the header; null if the header has none, or if no token has this key.
   * Throws CredentialsError for a token that has expired (B-6.74).
   */
  authenticate({ headers }: Credentials): Access | null | Promise<Access | null> {
    const key = keyIn(headers.authorization)
    if (key === null) return null
    const judged = this.#judged.get(key)
    return judged !== undefined && judged.until > performance.now() ? admit(judged) : this.#lookUp(key)
  }

  /** Forgets all judged tokens, after a change of tokens by this process. Other processes see it within five seconds. */
  forget(): void {
    this.#generation++
    this.#judged.clear()
    this.#lookups.clear()
  }

  /** What is stored of a key. Throws StartError if there is no salt. */
  async hash(key: string): Promise<string> {
    return hashKey(await this.loadSalt(), key)
  }

  /** Finds the salt, once. Throws StartError if there is none. */
  loadSalt(): Promise<string> {
    this.#salt ??= findSalt(this.#kernel, this.#config)
    return this.#salt
  }

  async #lookUp(key: string): Promise<Access | null> {
    const running = this.#lookups.get(key) ?? this.#begin(key)
    const judged = await running
    return judged === null ? null : admit(judged)
  }

  #begin(key: string): Promise<Judged | null> {
    const lookup = this.#remember(key, this.#generation)
    this.#lookups.set(key, lookup)
    return lookup
  }

  async #remember(key: string, generation: number): Promise<Judged | null> {
    // After `forget`, the result may be older than the change.
    const isCurrent = () => generation === this.#generation
    try {
      const judged = await this.#judge(key)
      if (judged === null) this.#judged.delete(key)
      else if (isCurrent()) this.#judged.set(key, judged)
      return judged
    } finally {
      if (isCurrent()) this.#lookups.delete(key)
    }
  }

  async #judge(key: string): Promise<Judged | null> {
    const until = performance.now() + memory
    const hash = await this.hash(key)
    const filters = { accessKey: { $eq: hash } }
    const found = await this.#kernel.query(tokenUid).findMany({ filters, populate: ['permissions'] })
    const row = found[0] as unknown as TokenRow | undefined
    if (row === undefined || !isSameHash(row.accessKey, hash)) return null
    const expiresAt = row.expiresAt === null ? null : Date.parse(row.expiresAt)
    if (!isExpired(expiresAt)) this.uses.note(row.id, row.lastUsedAt)
    return { access: accessOf(row, this.#kernel.actions.names), expiresAt, until }
  }
}

const isExpired = (expiresAt: number | null) => expiresAt !== null && expiresAt <= Date.now()

function admit({ access, expiresAt }: Judged): Access {
  if (isExpired(expiresAt)) throw new CredentialsError('Token expired')
  return access
}
