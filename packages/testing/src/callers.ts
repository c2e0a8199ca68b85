// Callers of a test, who have exactly the rights that the test names. Knows neither users nor roles, which are those of
// plugins.

import { type Access, type Context, CredentialsError, type Kernel, suggestion } from '@plinth/kernel'

/** The rights of a caller, and who it is. */
export interface CallerRights {
  /**
   * The actions that it may do, such as `api::article.article.find`; `*` at the end of a name stands for all that can
   * follow: `api::article.article.*`.
   */
  readonly rights: readonly string[]
  /** The `user` of its access; null by default. */
  readonly user?: unknown
}

/** Callers by their names. */
export type Callers = Readonly<Record<string, CallerRights>>

/** A caller, for requests and for code. */
export interface Caller {
  /** For requests: `app.inject({ url, headers: caller.headers })`. */
  readonly headers: { readonly authorization: string }
  /** For code: `kernel.query(uid, caller.context)`. Each has a `state` of its own. */
  readonly context: Context
}

const scheme = 'Test'

/**
 * Lets requests name a caller in the header `authorization`. As with every strategy, requests without credentials are then
 * refused unless a plugin answers for them.
 */
export class CallerSet {
  readonly #callers: Callers
  readonly #accesses = new Map<string, Access>()

  constructor(callers: Callers) {
    this.#callers = callers
  }

  /** Registers the strategy and the check of the rights, if there are callers. Before plugins register. */
  register(kernel: Kernel): void {
    if (Object.keys(this.#callers).length === 0) return
    // Patterns are resolved before the first request, so that a misspelt right ends the start.
    kernel.hooks.on('onModel', () => {
      for (const [name, caller] of Object.entries(this.#callers))
        this.#accesses.set(name, accessOf(kernel, name, caller))
    })
    const strategy = {
      name: 'test callers',
      authenticate: ({ headers }: { readonly headers: { readonly authorization?: unknown } }) => {
        const [sentScheme, name = ''] = String(headers.authorization ?? '').split(/ (.*)/s)
        return sentScheme === scheme ? this.#require(name) : null
      },
    }
    kernel.auth.use(strategy, { order: 'pre' })
  }

  /** The caller of this name. Throws CredentialsError for another name. */
  get(kernel: Kernel, name: string): Caller {
    return { headers: { authorization: `${scheme} ${name}` }, context: kernel.context(this.#require(name)) }
  }

  #require(name: string): Access {
    const access = this.#accesses.get(name)
    if (access !== undefined) return access
    const names = Object.keys(this.#callers)
    const hint = suggestion(name, names) || `; the option callers has ${names.join(', ') || 'none'}`
    throw new CredentialsError(`There is no caller "${name}"${hint}`)
  }
}

function accessOf({ actions }: Kernel, name: string, { rights, user = null }: CallerRights): Access {
  const granted = new Set(rights.flatMap(right => actions.match(right)))
  return { key: `test caller ${name}`, user, can: scope => granted.has(scope) }
}
