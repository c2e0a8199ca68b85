// The caller of a query or a write, and its rights. Transports create contexts; hooks and per-request values read them;
// plans depend on `access.key` only.

import type { RowCount } from './row-count.ts'
import type { RowShare } from './row-share.ts'

/**
 * The rights of a caller. `can` must depend on `key` only: plans are shared by all callers with the same key. Plugins may
 * give an access more members.
 */
export interface Access {
  readonly key: string
  readonly user: unknown
  can(scope: string): boolean
  /**
   * The scopes that `withRights` added, which the caller does not have. The rules of a caller's roles do not restrict an
   * action that was added; they restrict all others.
   */
  readonly added?: readonly string[]
  /**
   * Names who asks, equal for all requests of one caller, so that a server can share what it has among callers. Without it
   * a caller is its user, or the address of its client.
   */
  readonly caller?: string
  /** The holder of the rights, for the developer of the application: `role public`. It must depend on `key` only. */
  readonly label?: string
}

/** The maximum size of one answer to a caller. */
export interface AnswerLimits {
  /** The number of entries, including populated ones, components and members of zones. */
  readonly maxEntries: number
  /** The number of bytes of the answer as the transport writes it. */
  readonly maxBytes: number
}

/** The caller of a query or a write, and data of plugins for it. */
export interface Context {
  readonly access: Access
  /** The HTTP request, if there is one. Code that runs while a plan is made does not receive it. */
  readonly request?: unknown
  /**
   * Returns whether the client no longer waits for the answer, so that its reads may be cancelled. Transports set it.
   */
  readonly isAbandoned?: (() => boolean) | undefined
  /** The maximum size of the answer. A write whose answer is larger is rolled back. Transports set it. */
  readonly limits?: AnswerLimits | undefined
  /**
   * The count of rows that all reads with this context share, answers of writes included. Transports set it for a request
   * of several queries; without it each query counts for itself.
   */
  readonly rowCount?: RowCount | undefined
  /** Counts the bytes of the rows that are read with this context, and lets reads wait. Servers set it. */
  readonly share?: RowShare | undefined
  /** Values of plugins, by their name. */
  readonly state: Record<string, unknown>
}

/** The holder of rights, for the developer of the application. */
export const labelOf = ({ label }: Access): string => label ?? 'the caller'

/** All rights, for scripts, seeds and the work of plugins. */
export const systemAccess: Access = Object.freeze({ key: 'system', user: null, can: () => true })

/** The rights of all callers if no strategy is registered. */
export const openAccess: Access = Object.freeze({ key: 'open', user: null, can: () => true })

/** No rights: what an action that everybody may do gives to callers beside the action itself (B-13.57). */
export const noAccess: Access = Object.freeze({ key: 'none', user: null, can: () => false })

/**
 * The context with more rights, for a plugin that has checked itself what the caller may do. The access keeps all its
 * members and its `key` gets an addition; `added` names the scopes that it did not have. A scope that the caller has
 * already is not added, so the rules on it remain: a plugin whose work no rule may restrict uses `systemAccess`. If the
 * caller has all of them, the context itself is returned, so that the rights of the system stay those of the system.
 */
export function withRights(context: Context, scopes: readonly string[]): Context {
  const { access } = context
  const added = scopes.filter(scope => !access.can(scope))
  if (added.length === 0) return context
  const can = (scope: string) => added.includes(scope) || access.can(scope)
  const own = { ...access, key: `${access.key} + ${added.join(' ')}`, can, added: [...(access.added ?? []), ...added] }
  return { ...context, access: own }
}

/** Creates a context for `access`. */
export function createContext(
  access: Access,
  request?: unknown,
  isAbandoned?: () => boolean,
  limits?: AnswerLimits,
  share?: RowShare,
): Context {
  return { access, request, isAbandoned, limits, share, state: {} }
}
