// Authenticates callers with the strategies of plugins, which are tried in order, and refuses credentials that none of
// them accepts.

import type { Access } from '../context.ts'
import { noAccess, openAccess } from '../context.ts'
import { CredentialsError } from '../errors.ts'
import { type Author, attribute } from '../registration/blame.ts'
import { checkOneOf, checkWords, isThenable, shown } from '../registration/checks.ts'
import { type Refuse, Registrar } from '../registration/registrar.ts'

/** The part of a request that strategies may read; the request of a server has it. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** A way to authenticate. */
export interface AuthStrategy {
  readonly name: string
  /**
   * Returns the caller's rights, or null if the request has no credentials for this strategy. Throws CredentialsError
   * for credentials that are for it, but wrong.
   */
  authenticate(request: Credentials): Access | null | Promise<Access | null>
}

/** A strategy, its place among the others, and who registered it. */
interface RegisteredStrategy {
  readonly strategy: AuthStrategy
  readonly order: number
  readonly author: Author
}

const unreadToken =
  'A request has a bearer token, but no plugin in config/plugins authenticates callers; requests with a token are answered 401, those without one may do everything. This is logged once.'

/** The strategies of a kernel, as `kernel.auth`. */
export class Auth {
  readonly #strategies: RegisteredStrategy[] = []

  readonly #registrar: Registrar
  readonly #warn: (message: string) => void
  #hasWarned = false

  constructor(registrar: Registrar = new Registrar(), warn: (message: string) => void = () => {}) {
    this.#registrar = registrar
    this.#warn = warn
  }

  /** Adds a strategy, before the freeze. Those with `pre` are tried first, those with `post` last. */
  use(strategy: AuthStrategy, options: { readonly order?: 'pre' | 'post' } = {}): void {
    checkStrategy(strategy, options, this.#registrar.begin(`strategy ${strategy?.name}`))
    const order = options.order === 'pre' ? 0 : options.order === 'post' ? 2 : 1
    const author = { plugin: this.#registrar.plugin, hook: `strategy ${strategy.name}` }
    this.#strategies.push({ strategy, order, author })
    this.#strategies.sort((a, b) => a.order - b.order)
  }

  /** The caller's rights. Without strategies everything is open; credentials that none accepts are refused (B-6.6). */
  authenticate(request: Credentials): Promise<Access> {
    // Most requests are answered by strategies that need not wait, and strategies run for each request: only promises are
    // awaited.
    try {
      return this.#ask(request, 0)
    } catch (error) {
      return Promise.reject(error)
    }
  }

  /** Asks the strategies from the one at `first` on. */
  #ask(request: Credentials, first: number): Promise<Access> {
    for (let i = first; i < this.#strategies.length; i++) {
      const answer = ask(this.#strategies[i]!, request)
      if (isThenable(answer)) return this.#await(answer as Promise<Access | null>, request, i)
      if (answer !== null) return Promise.resolve(answer)
    }
    const { authorization } = request.headers
    const isClaiming = authorization !== undefined && /^bearer\s/i.test(String(authorization))
    if (isClaiming && this.isOpen) this.#warnOfToken()
    if (this.#strategies.length > 0 || isClaiming) throw new CredentialsError()
    return Promise.resolve(openAccess)
  }

  /** Warns once: the token of one front end comes with each of its requests. */
  #warnOfToken(): void {
    if (this.#hasWarned) return
    this.#hasWarned = true
    this.#warn(unreadToken)
  }

  async #await(pending: Promise<Access | null>, request: Credentials, at: number): Promise<Access> {
    let access: Access | null
    try {
      access = await pending
    } catch (error) {
      throw attribute(error, this.#strategies[at]!.author)
    }
    return access === null ? await this.#ask(request, at + 1) : access
  }

  /**
   * The rights of callers of an action that everybody may do: credentials are not read, and the caller has no user
   * (B-6.11).
   */
  get anonymous(): Access {
    return this.isOpen ? openAccess : noAccess
  }

  /** Returns whether no strategy is registered, so that all callers have all rights. */
  get isOpen(): boolean {
    return this.#strategies.length === 0
  }
}

/** The answer of a strategy. What it throws names its author. */
function ask({ strategy, author }: RegisteredStrategy, request: Credentials): ReturnType<AuthStrategy['authenticate']> {
  try {
    return strategy.authenticate(request)
  } catch (error) {
    throw attribute(error, author)
  }
}

/** Refuses a strategy that could not be called. */
function checkStrategy(strategy: AuthStrategy, options: { readonly order?: unknown }, refuse: Refuse): void {
  if (strategy === null || typeof strategy !== 'object') refuse(`must be an object, found ${shown(strategy)}`)
  if (typeof strategy.name !== 'string' || strategy.name === '') refuse('name is missing')
  if (typeof strategy.authenticate !== 'function') refuse('authenticate must be a function')
  checkWords<{ order: unknown }>(options, { order: 'optional' }, refuse)
  if (options.order !== undefined) checkOneOf('order', options.order, ['pre', 'post'], refuse)
}
