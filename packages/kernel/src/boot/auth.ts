// Who is asking: strategies of plugins, tried in order, and the one answer when none knows the caller.

import type { Access } from '../context.ts'
import { openAccess } from '../context.ts'
import { CredentialsError } from '../errors.ts'
import { attribute, type Author } from '../registration/blame.ts'
import { Registrar } from '../registration/registrar.ts'
import { checkStrategy } from './definition-checks.ts'

/** What a strategy may look at; the request of a server fits. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** A way to authenticate. */
export interface AuthStrategy {
  readonly name: string
  /** The caller's rights; null: not mine. Throws CredentialsError for credentials that are its own but wrong. */
  authenticate(request: Credentials): Access | null | Promise<Access | null>
}

/** kernel.auth. */
export class Auth {
  readonly #strategies: { readonly strategy: AuthStrategy; readonly order: number; readonly author: Author }[] = []

  readonly #registrar: Registrar

  constructor(registrar: Registrar = new Registrar()) {
    this.#registrar = registrar
  }

  /** Adds a strategy, before the freeze; `post` ones are tried last. */
  use(strategy: AuthStrategy, options: { readonly order?: 'pre' | 'post' } = {}): void {
    checkStrategy(strategy, options, this.#registrar.begin(`strategy ${strategy?.name}`))
    const order = options.order === 'pre' ? 0 : options.order === 'post' ? 2 : 1
    const author = { plugin: this.#registrar.plugin, hook: `strategy ${strategy.name}` }
    this.#strategies.push({ strategy, order, author })
    this.#strategies.sort((a, b) => a.order - b.order)
  }

  /** The caller's rights. Without strategies everything is open; credentials nobody knows are refused (B-6.6). */
  async authenticate(request: Credentials): Promise<Access> {
    for (const { strategy, author } of this.#strategies) {
      try {
        const access = await strategy.authenticate(request)
        if (access !== null) return access
      } catch (error) {
        throw attribute(error, author)
      }
    }
    const { authorization } = request.headers
    const isClaiming = authorization !== undefined && /^bearer\s/i.test(String(authorization))
    if (this.#strategies.length > 0 || isClaiming) throw new CredentialsError()
    return openAccess
  }

  /** True while nobody is asked who they are. */
  get isOpen(): boolean {
    return this.#strategies.length === 0
  }
}
