// Finds the rights with which a webhook sees entries. The plugins of roles and tokens offer them as services, so that this
// one depends on neither.

import { type Access, type Kernel, UnauthorizedError } from '@plinth/kernel'
import type { As } from './hooks.ts'

/** The service `access` of users-permissions and of api-tokens: the rights of a role or a token with this name, or null. */
type FindAccess = (name: string) => Promise<Access | null>

/** Milliseconds for which the rights of roles and tokens are cached. */
const maxAge = 3000

export class Callers {
  readonly #kernel: Kernel
  readonly #accesses = new Map<string, { readonly access: Access | null; readonly until: number }>()

  constructor(kernel: Kernel) {
    this.#kernel = kernel
  }

  /** Returns the rights of a caller at present; null if there is no such role or token. */
  async accessOf(as: As): Promise<Access | null> {
    if (as === null) return this.#public()
    const key = JSON.stringify(as)
    const cached = this.#accesses.get(key)
    if (cached !== undefined && cached.until > performance.now()) return cached.access
    const [plugin, name] = 'role' in as ? ['users-permissions', as.role] : ['api-tokens', as.token]
    const find = this.#kernel.services.find(plugin, 'access') as FindAccess | null
    const access = (await find?.(name)) ?? null
    this.#accesses.set(key, { access, until: performance.now() + maxAge })
    return access
  }

  /** The rights of somebody without credentials; none if everybody must have some. */
  async #public(): Promise<Access | null> {
    try {
      return await this.#kernel.auth.authenticate({ headers: {} })
    } catch (error) {
      if (error instanceof UnauthorizedError) return null
      throw error
    }
  }
}

/** `role public`, `token site`, `callers without credentials`. */
export function nameOf(as: As): string {
  if (as === null) return 'callers without credentials'
  return 'role' in as ? `role ${as.role}` : `token ${as.token}`
}
