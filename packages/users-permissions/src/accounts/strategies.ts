// The strategies of authentication: the token of a user, and no token at all (B-6.5 to B-6.10, security.md rows 57, 58
// and 60).

import { type Access, type AuthStrategy, type Credentials, CredentialsError } from '@plinth/kernel'
import type { Role, RolesInMemory, User } from '../roles/role.ts'
import { Remembered } from './remembered.ts'
import type { Token, Tokens } from './tokens.ts'

/** What a request needs to know of a user: what is answered to code, and what decides whether a token is valid. */
export interface Caller {
  readonly user: User
  readonly roleId: number | null
  readonly isBlocked: boolean
  readonly isConfirmed: boolean
  /** Tokens that were issued earlier are not valid; milliseconds, or null. */
  readonly validFrom: number | null
}

/** What strategies need of the rest of the plugin. */
export interface StrategyTools {
  readonly tokens: Tokens
  readonly roles: RolesInMemory
  /** The user with this id, or null. */
  readonly findCaller: (id: number) => Promise<Caller | null>
  /** Whether users must have confirmed their address. */
  readonly needsConfirmation: () => boolean
}

/** How long a header is not judged again. Row 58 allows 5 s, of which open connections take some to ask again. */
const maxAge = 3000
const bounds = { maxAge, maxEntries: 10_000, maxLength: 4_000_000 }

/** A header that was judged: the caller, or null if the token is not valid. */
interface Judged {
  readonly token: Token
  readonly caller: Promise<Caller | null>
  /** The rights, and the role of which they are. */
  role: Role | null
  access: Access | null
}

const bearer = /^bearer +(\S+)$/i

/** Whether a request has a Bearer token. A header without one is that of a caller without a token (B-6.5). */
const hasToken = ({ headers: { authorization } }: Credentials): boolean =>
  authorization !== undefined && /^bearer +\S/i.test(String(authorization))

/** The strategies, and the headers that they remember. */
export class Strategies {
  readonly #tools: StrategyTools
  readonly #judged = new Remembered<Judged>(bounds)

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

  /** Judges the tokens of a user again. Called in the process that changes the user; others do it within 5 seconds. */
  forget(userId: number): void {
    this.#judged.forget(({ token }) => token.userId === userId)
  }

  /** The rights are asked for each time: what changes in memory has an effect at once. */
  #publicAccess(): Access | Promise<Access> {
    const { roles } = this.#tools
    const waiting = roles.refresh()
    return waiting === undefined ? roles.publicAccess : waiting.then(() => roles.publicAccess)
  }

  async #judge(header: string): Promise<Access | null> {
    const text = bearer.exec(header)?.[1]
    const token = text === undefined ? null : this.#tools.tokens.read(text)
    if (token === null) return null
    const caller = this.#tools.findCaller(token.userId).then(found => (this.#isValid(token, found) ? found : null))
    const judged: Judged = { token, caller, role: null, access: null }
    this.#judged.set(header, judged, Math.min(maxAge, token.endsAt - Date.now()))
    try {
      return this.#accessOf(judged, await caller)
    } catch (error) {
      // A database that is away says nothing about the token.
      if (!(error instanceof CredentialsError)) this.#judged.delete(header)
      throw error
    }
  }

  #authenticate(header: string): Promise<Access | null> | Access | null {
    // One look at the clock for both: this runs for each request with a token.
    const now = performance.now()
    const waiting = this.#tools.roles.refresh(now)
    return waiting === undefined ? this.#recall(header, now) : waiting.then(() => this.#recall(header))
  }

  #recall(header: string, now?: number): Promise<Access | null> | Access | null {
    const judged = this.#judged.get(header, now)
    if (judged === undefined) return this.#judge(header)
    const { access, role } = judged
    // The role has not changed, so neither have the rights.
    if (access !== null && role === this.#tools.roles.ofUser(role!.id)) return access
    return judged.caller.then(caller => this.#accessOf(judged, caller))
  }

  #isValid({ issuedAt }: Token, caller: Caller | null): boolean {
    if (caller === null || caller.isBlocked) return false
    if (!caller.isConfirmed && this.#tools.needsConfirmation()) return false
    return caller.validFrom === null || issuedAt >= caller.validFrom
  }

  #accessOf(judged: Judged, caller: Caller | null): Access {
    if (caller === null) throw new CredentialsError('Invalid credentials')
    const { roles } = this.#tools
    const role = roles.ofUser(caller.roleId)
    const access = roles.accessOf(role, caller.user)
    judged.role = role
    judged.access = access
    return access
  }
}
