// The webhooks, from the settings and from those that were taken over, and the types whose events they receive. Knows
// neither writes nor requests.

import { type ContentType, PluginConfigError, type Registry, suggestion } from '@plinth/kernel'
import { type EventName, entryEvents, type HookConfig, mediaEvents } from './config.ts'

/** The uid of the files of the plugin upload. */
export const fileUid = 'plugin::upload.file'

/** The role or API token whose rights limit what is sent; null for callers without credentials. */
export type As = { readonly role: string } | { readonly token: string } | null

export interface Hook {
  readonly name: string
  readonly url: string
  readonly secrets: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  readonly events: ReadonlySet<EventName>
  /** Null: all types of the application. */
  readonly types: ReadonlySet<string> | null
  readonly as: As
  readonly hasDrafts: boolean
  /** Undefined: what belongs to the entry. */
  readonly populate: unknown
  readonly isEnabled: boolean
  readonly source: 'config' | 'v4'
}

/** Returns a webhook as the settings describe it. */
export function hookOf(name: string, config: HookConfig, source: Hook['source'] = 'config'): Hook {
  const { url, secret = [], headers = {}, events = entryEvents, types, as = null } = config
  return {
    name,
    url,
    secrets: [secret].flat(),
    headers,
    events: new Set(events),
    types: types === undefined ? null : new Set(types),
    as,
    hasDrafts: config.drafts ?? false,
    populate: config.populate,
    isEnabled: config.enabled ?? true,
    source,
  }
}

/** Returns whether a webhook receives events of a type. */
export function concerns({ events, types, isEnabled }: Hook, uid: string): boolean {
  if (!isEnabled) return false
  if (uid === fileUid) return mediaEvents.some(name => events.has(name))
  return (types?.has(uid) ?? uid.startsWith('api::')) && entryEvents.some(name => events.has(name))
}

/** Returns whether webhooks that name no types can receive events of a type. */
export const mayConcern = (uid: string): boolean => uid === fileUid || uid.startsWith('api::')

/** The webhooks of a kernel. */
export class HookSet {
  #all: ReadonlyMap<string, Hook> = new Map()
  /** By the uid of the type. */
  #byType = new Map<string, readonly Hook[]>()

  constructor(hooks: readonly Hook[]) {
    this.replace(hooks)
  }

  replace(hooks: readonly Hook[]): void {
    this.#all = new Map(hooks.map(one => [one.name, one]))
    this.#byType = new Map()
  }

  get all(): readonly Hook[] {
    return [...this.#all.values()]
  }

  get(name: string): Hook | undefined {
    return this.#all.get(name)
  }

  /** Returns the webhooks that receive events of a type. */
  of(uid: string): readonly Hook[] {
    const cached = this.#byType.get(uid)
    if (cached !== undefined) return cached
    const hooks = this.all.filter(one => concerns(one, uid))
    this.#byType.set(uid, hooks)
    return hooks
  }
}

/** Throws PluginConfigError for types, and for names of what is populated, that the model does not have. */
export function checkTypes(hooks: readonly Hook[], contentTypes: Registry): void {
  const uids = contentTypes.values().flatMap((type: ContentType) => (type.kind === 'component' ? [] : [type.uid]))
  const mistakes = hooks.flatMap(({ name, types }) =>
    [...(types ?? [])]
      .filter(uid => !uids.includes(uid))
      .map(uid => `webhooks.config.hooks.${name}.types: there is no content type "${uid}"${suggestion(uid, uids)}`),
  )
  // Without its types it is not known what a webhook could populate.
  if (mistakes.length === 0) mistakes.push(...hooks.flatMap(hook => faultsOfPopulate(hook, contentTypes)))
  if (mistakes.length > 0) throw new PluginConfigError(mistakes)
}

/** Finds the names that a webhook populates and none of its types has. A query ignores them. Checks only the first level. */
function faultsOfPopulate(hook: Hook, contentTypes: Registry): string[] {
  const types = contentTypes.values().filter(type => type.kind !== 'component' && concerns(hook, type.uid))
  const attributeNames = new Set(types.flatMap(type => [...type.attributes.keys()]))
  return topNames(hook.populate)
    .filter(name => !attributeNames.has(name) && types.length > 0)
    .map(name => {
      const place = `webhooks.config.hooks.${hook.name}.populate`
      return `${place}: none of the types has an attribute "${name}"${suggestion(name, attributeNames)}`
    })
}

/** The names at the top of a populate: of `author,tags`, `['author.desk']`, `{ author: true }`. */
function topNames(populate: unknown): string[] {
  if (typeof populate === 'string')
    return populate.split(',').flatMap(one => (/^(?:\*|deep|\d*)$/.test(one.trim()) ? [] : one.trim().split('.', 1)))
  if (Array.isArray(populate)) return populate.flatMap(topNames)
  return typeof populate === 'object' && populate !== null ? Object.keys(populate) : []
}

/** Returns the part of a URL that is not secret. Build hooks have secrets in the path, others in the query or user info. */
export function shownUrl(url: string): string {
  if (!URL.canParse(url)) return '(not a URL)'
  const { origin, pathname, search } = new URL(url)
  return pathname === '/' && search === '' ? origin : `${origin}/…`
}
