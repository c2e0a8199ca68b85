// Checks the tokens of requests. A token that was found is cached for at most three seconds, so a request costs no query,
// and a revoked token is refused within five seconds everywhere, also on open connections (security.md rows 58, 59).

import { type Access, CredentialCache, type Credentials, CredentialsError, type Kernel } from '@plinth/kernel'
import { accessOf, type TokenAccess } from './access.ts'
import { hashKey, isSameHash, keyIn } from './keys.ts'
import { findSalt, type SaltConfig } from './salt.ts'
import { type TokenRow, tokenUid } from './types.ts'
import { Uses } from './uses.ts'

const bounds = { maxAge: 3000, maxEntries: 10_000, maxLength: 4_000_000 }

/** A token that exists. */
interface Token {
  readonly access: TokenAccess
  /** Milliseconds since 1970; null if the token does not expire. */
  readonly expiresAt: number | null
}

/** The tokens of one kernel. */
export class Tokens {
  readonly #kernel: Kernel
  readonly #config: SaltConfig
  #salt: Promise<string> | null = null
  /** By their keys. */
  readonly #tokens = new CredentialCache<Token>(bounds)
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
   * Returns the rights of the token in the header; null if the header has none, or if no token has this key.
   * Throws CredentialsError for a token that has expired (B-6.74).
   */
  authenticate({ headers }: Credentials): Access | null | Promise<Access | null> {
    const key = keyIn(headers.authorization)
    if (key === null) return null
    const token = this.#tokens.get(key)
    if (token !== undefined) return admit(token)
    return this.#tokens.lookUp(key, () => this.#find(key)).then(one => (one === null ? null : admit(one)))
  }

  /** Drops all cached tokens, after a change of tokens by this process. Other processes see it within five seconds. */
  forget(): void {
    this.#tokens.forget()
  }

  /** Returns what is stored of a key. Throws StartError if there is no salt. */
  async hash(key: string): Promise<string> {
    return hashKey(await this.loadSalt(), key)
  }

  /** Finds the salt, once. Throws StartError if there is none. */
  loadSalt(): Promise<string> {
    this.#salt ??= findSalt(this.#kernel, this.#config)
    return this.#salt
  }

  /** Returns the rights of the token with a name; null if there is none, or if it has expired. */
  async accessNamed(name: string): Promise<TokenAccess | null> {
    const rows = await this.#kernel
      .query(tokenUid)
      .findMany({ filters: { name: { $eq: name } }, populate: ['permissions'] })
    const row = rows[0] as unknown as TokenRow | undefined
    if (row === undefined || isExpired(endOf(row))) return null
    return accessOf(row, this.#kernel.actions.names)
  }

  async #find(key: string): Promise<Token | null> {
    const hash = await this.hash(key)
    const filters = { accessKey: { $eq: hash } }
    const rows = await this.#kernel.query(tokenUid).findMany({ filters, populate: ['permissions'] })
    const row = rows[0] as unknown as TokenRow | undefined
    if (row === undefined || !isSameHash(row.accessKey, hash)) return null
    const expiresAt = endOf(row)
    if (!isExpired(expiresAt)) this.uses.note(row.id, row.lastUsedAt)
    return { access: accessOf(row, this.#kernel.actions.names), expiresAt }
  }
}

const endOf = ({ expiresAt }: TokenRow) => (expiresAt === null ? null : Date.parse(expiresAt))

const isExpired = (expiresAt: number | null) => expiresAt !== null && expiresAt <= Date.now()

function admit({ access, expiresAt }: Token): Access {
  if (isExpired(expiresAt)) throw new CredentialsError('Token expired')
  return access
}
