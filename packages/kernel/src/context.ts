// Who asks. Doors make contexts; hooks and late slots read them; plans depend on `access.key` alone.

/** The rights of a caller. `can` must depend on `key` only: plans are shared by all callers with the same key. */
export interface Access {
  readonly key: string
  readonly user: unknown
  can(scope: string): boolean
}

/** Most that a caller is given in one answer. */
export interface AnswerLimits {
  /** Entries, those inside others, components and members of zones included. */
  readonly maxEntries: number
  /** Bytes of the answer as the door writes it. */
  readonly maxBytes: number
}

/** What comes with a question or a write. */
export interface Context {
  readonly access: Access
  /** The HTTP request, where there is one. Plan-time code never sees it. */
  readonly request?: unknown
  /** True once nobody waits for the answer any more: reads that run for it may be cancelled. Transports set it. */
  readonly isAbandoned?: (() => boolean) | undefined
  /** Largest answer that the caller is given: writes whose answer is larger are taken back. Transports set it. */
  readonly limits?: AnswerLimits | undefined
  /** Free for plugins, by their name. */
  readonly state: Record<string, unknown>
}

/** May do anything: scripts, seeds, plugins' own work. */
export const systemAccess: Access = Object.freeze({ key: 'system', user: null, can: () => true })

/** Everybody's rights while no strategy is registered. */
export const openAccess: Access = Object.freeze({ key: 'open', user: null, can: () => true })

/** The context with more rights, for a plugin that judged by itself what the caller may do. */
export function withRights(context: Context, scopes: readonly string[]): Context {
  const { key, user } = context.access
  const can = (scope: string) => scopes.includes(scope) || context.access.can(scope)
  return { ...context, access: { key: `${key} + ${scopes.join(' ')}`, user, can } }
}

/** A context for `access`. */
export function createContext(
  access: Access,
  request?: unknown,
  isAbandoned?: () => boolean,
  limits?: AnswerLimits,
): Context {
  return { access, request, isAbandoned, limits, state: {} }
}
