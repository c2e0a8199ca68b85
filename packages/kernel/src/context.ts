// The caller of a query or a write, and its rights. Transports create contexts; hooks and per-request values read them;
// plans depend on `access.key` only.

/** The rights of a caller. `can` must depend on `key` only: plans are shared by all callers with the same key. */
export interface Access {
  readonly key: string
  readonly user: unknown
  can(scope: string): boolean
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
  /** Whether the client no longer waits for the answer, so that its reads may be cancelled. Transports set it. */
  readonly isAbandoned?: (() => boolean) | undefined
  /** The maximum size of the answer. A write whose answer is larger is rolled back. Transports set it. */
  readonly limits?: AnswerLimits | undefined
  /** Values of plugins, by their name. */
  readonly state: Record<string, unknown>
}

/** All rights, for scripts, seeds and the work of plugins. */
export const systemAccess: Access = Object.freeze({ key: 'system', user: null, can: () => true })

/** The rights of all callers if no strategy is registered. */
export const openAccess: Access = Object.freeze({ key: 'open', user: null, can: () => true })

/** The context with more rights, for a plugin that has checked itself what the caller may do. */
export function withRights(context: Context, scopes: readonly string[]): Context {
  const { key, user } = context.access
  const can = (scope: string) => scopes.includes(scope) || context.access.can(scope)
  return { ...context, access: { key: `${key} + ${scopes.join(' ')}`, user, can } }
}

/** Creates a context for `access`. */
export function createContext(
  access: Access,
  request?: unknown,
  isAbandoned?: () => boolean,
  limits?: AnswerLimits,
): Context {
  return { access, request, isAbandoned, limits, state: {} }
}
