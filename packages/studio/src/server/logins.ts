// Finds which logins by other providers the page of the log-in offers: those that lead back to the panel, to a caller who may
// begin one. Everybody could find them out by trying.

import { type Access, CredentialsError, type Kernel, suggestion } from '@plinth/kernel'
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
  return [...targetsOf(kernel)].flatMap(([name, callbacks]) => {
    const callback = callbacks.find(one => new URL(one).pathname === pageOf(path, name))
    if (callback === undefined) return []
    return { name, label: config.logins[name] ?? labels[name] ?? name, callback }
  })
}

/**
 * Warns of names of logins that are never offered. That is not an error: a setting of the environment may disable a provider.
 * Called when the providers are known, which is after the plugin users-permissions is mounted.
 */
export function warnOfLogins(kernel: Kernel, { logins }: Config, path: string): void {
  const targets = targetsOf(kernel)
  const warn = (name: string, fault: string) =>
    kernel.log.warn(`config/plugins: studio.config.logins.${name}: has no effect, because ${fault}`)
  for (const name of Object.keys(logins)) {
    const callbacks = targets.get(name)
    if (callbacks === undefined)
      warn(name, `users-permissions enables no provider "${name}"${suggestion(name, targets.keys())}`)
    else if (!callbacks.some(one => new URL(one).pathname === pageOf(path, name)))
      warn(name, `no "callback" of the provider is the page ${pageOf(path, name)}`)
  }
}

/** The addresses to which logins lead, by the names of the providers. */
const targetsOf = (kernel: Kernel): ReadonlyMap<string, readonly string[]> =>
  kernel.services.find('users-permissions', 'loginTargets')?.() ?? new Map()

/** The path of the page of the panel to which a login leads. */
const pageOf = (path: string, name: string) => `${path}/connect/${name}`

/** A stranger to whom nothing is permitted is refused as such, and not asked to log in before logging in. */
function mayLogIn(access: Access): boolean {
  try {
    return actions.every(action => access.can(action))
  } catch (error) {
    if (error instanceof CredentialsError) return false
    throw error
  }
}
