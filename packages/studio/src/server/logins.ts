// Finds which logins by other providers the page of the log-in offers: those that lead back to the panel, to a caller who may
// begin one. Everybody could find them out by trying.

import { type Access, CredentialsError, type Kernel } from '@plinth/kernel'
import type {} from '@plinth/users-permissions'
import type { Config } from './config.ts'

/** A login that is offered. */
export interface OfferedLogin {
  /** The name of the provider, which is in the paths of its routes. */
  readonly name: string
  readonly label: string
  /** The page of the panel to which it leads. */
  readonly callback: string
}

const actions = ['connect', 'callback'].map(name => `plugin::users-permissions.auth.${name}`)

/** Providers whose names are written in a way of their own. */
const labels: Readonly<Record<string, string>> = { github: 'GitHub', auth0: 'Auth0', google: 'Google' }

/**
 * The logins whose settings name the page `<path>/connect/<provider>` as one of their callbacks. `path` is the path of the
 * panel, with the prefix of the server.
 */
export function offeredLogins(kernel: Kernel, config: Config, path: string, access: Access): readonly OfferedLogin[] {
  if (!mayLogIn(access)) return []
  const targets = kernel.services.find('users-permissions', 'loginTargets')?.() ?? new Map<string, readonly string[]>()
  return [...targets].flatMap(([name, callbacks]) => {
    const callback = callbacks.find(one => new URL(one).pathname === `${path}/connect/${name}`)
    if (callback === undefined) return []
    return { name, label: config.logins[name] ?? labels[name] ?? name, callback }
  })
}

/** A stranger to whom nothing is permitted is refused as such, and not asked to log in before logging in. */
function mayLogIn(access: Access): boolean {
  try {
    return actions.every(action => access.can(action))
  } catch (error) {
    if (error instanceof CredentialsError) return false
    throw error
  }
}
