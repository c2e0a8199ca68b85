// Authenticates callers: those with the token of a user, and those without one (B-6.5 to B-6.10, security.md rows 57, 58
// and 60).

import { type Access, type AuthStrategy, CredentialCache, type Credentials, CredentialsError } from '@plinth/kernel'
import type { Role, RolesInMemory, User } from '../roles/role.ts'
import type { Token, Tokens } from './tokens.ts'

/** The user of a request: what is answered to code, and what decides whether a token is valid. */
export interface Caller {
  readonly user: User
  readonly roleId: number | null
  readonly isBlocked: boolean
  readonly isConfirmed: boolean
  /** Tokens that were issued earlier are not valid; milliseconds, or null. */
  readonly validFrom: number | null
}

/** The parts of the plugin that strategies need. */
export interface StrategyTools {
  readonly tokens: Tokens
  readonly roles: RolesInMemory
  /** The user with this id, or null. */
  readonly findCaller: (id: number) => Promise<Caller | null>
  /** Returns whether users must have confirmed their address. */
  readonly needsConfirmation: () => boolean
}

/**
 * The time that a header is not checked again, in milliseconds. Row 58 allows 5 s, of which open connections take some
 * to ask again.
 */
const maxAge = 3000
const bounds = { maxAge, maxEntries: 10_000, maxLength: 4_000_000 }

/** The token of a header, with its caller: null if the token is not valid. */
interface TokenCaller {
  readonly token: Token
  readonly caller: Caller | null
  /** The rights, and the role of which they are. */
  role: Role | null
  access: Access | null
}

const bearer = /^bearer +(\S+)$/i

/** Returns whether a request has a Bearer token. A header without one is that of a caller without a token (B-6.5). */
const hasToken = ({ headers: { authorization } }: Credentials): boolean =>
  authorization !== undefined && /^bearer +\S/i.test(String(authorization))

/** The strategies, and the headers that they have checked. */
export class Strategies {
  readonly #tools: StrategyTools
  readonly #callers = new CredentialCache<TokenCaller>(bounds)

  constructor(tools: StrategyTools) {
    this.#tools = tools
  }

  /** The strategy of users. A token that is not one of a user is left to other strategies. */
  readonly jwt: AuthStrategy = {
    name: 'jwt',
    authenticate: ({ headers }) => {
      const { authorization } = headers
      return typeof authorization === 'string' ? this.#authenticate(authorization) : null
    },
  }

  /** The strategy of callers without a token, which is the last one. */
  readonly public: AuthStrategy = {
    name: 'public',
    authenticate: request => (hasToken(request) ? null : this.#publicAccess()),
  }

  /** Checks the tokens of a user again. Called in the process that changes the user; others do it within 5 seconds. */
  forget(userId: number): void {
    this.#callers.forget(({ token }) => token.userId === userId)
  }

  /** The rights that a token of this user would give; null if there is no such user. */
  async accessOf(userId: number): Promise<Access | null> {
    const { roles, findCaller } = this.#tools
    const [caller] = await Promise.all([findCaller(userId), roles.refresh()])
    return caller === null ? null : roles.accessOf(roles.ofUser(caller.roleId), caller.user)
  }

  /** The rights are asked for each time: what changes in memory has an effect at once. */
  #publicAccess(): Access | Promise<Access> {
    const { roles } = this.#tools
    const waiting = roles.refresh()
    return waiting === undefined ? roles.publicAccess : waiting.then(() => roles.publicAccess)
  }

  #authenticate(header: string): Promise<Access | null> | Access | null {
    // One look at the clock for both: this runs for each request with a token.
    const now = performance.now()
    const waiting = this.#tools.roles.refresh(now)
    return waiting === undefined ? this.#accessBy(header, now) : waiting.then(() => this.#accessBy(header))
  }

  #accessBy(header: string, now?: number): Promise<Access | null> | Access | null {
    const cached = this.#callers.get(header, now)
    return cached === undefined ? this.#lookUp(header) : this.#accessOf(cached)
  }

  #lookUp(header: string): Promise<Access | null> | null {
    const text = bearer.exec(header)?.[1]
    const token = text === undefined ? null : this.#tools.tokens.read(text)
    if (token === null) return null
    const age = Math.min(maxAge, token.endsAt - Date.now())
    return this.#callers.lookUp(header, () => this.#find(token), age).then(caller => this.#accessOf(caller!))
  }

  async #find(token: Token): Promise<TokenCaller> {
    const caller = await this.#tools.findCaller(token.userId)
    return { token, caller: this.#isValid(token, caller) ? caller : null, role: null, access: null }
  }

  #isValid({ issuedAt }: Token, caller: Caller | null): boolean {
    if (caller === null || caller.isBlocked) return false
    if (!caller.isConfirmed && this.#tools.needsConfirmation()) return false
    return caller.validFrom === null || issuedAt >= caller.validFrom
  }

  /** Returns the rights of a caller, which are computed again if the role has changed. */
  #accessOf(tokenCaller: TokenCaller): Access {
    const { caller } = tokenCaller
    if (caller === null) throw new CredentialsError('Invalid credentials')
    const { roles } = this.#tools
    const role = roles.ofUser(caller.roleId)
    if (tokenCaller.access === null || tokenCaller.role !== role) {
      tokenCaller.role = role
      tokenCaller.access = roles.accessOf(role, caller.user)
    }
    return tokenCaller.access
  }
}
