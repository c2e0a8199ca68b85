// Checks what code says about a content type beside its schema: whether it is internal, who has its routes, and what its
// actions are called.

import { checkOneOf, checkWords, shown, type Words } from '../registration/checks.ts'
import type { Refuse } from '../registration/registrar.ts'
import { type ContentType, operationsOf, type Uid } from './content-type.ts'

/** The settings of a content type beside its schema. */
export interface TypeSettings {
  readonly uid?: Uid
  /** The file of the schema, for messages. */
  readonly file?: string
  /** True: transports generate nothing for it, and only the actions in `actions` are listed. */
  readonly internal?: boolean
  /** `own`: the plugin has routes of its own for the type, so transports with routes add none. Its actions are listed. */
  readonly routes?: 'own'
  /** The names of actions that are not called `<uid>.<operation>`, by operation. */
  readonly actions?: ContentType['actions']
}

const words: Words<TypeSettings> = {
  uid: 'optional',
  file: 'optional',
  internal: 'optional',
  routes: 'optional',
  actions: 'optional',
}

/** Refuses settings that are not known, and names of operations that the kind of type does not have. */
export function checkTypeSettings(settings: TypeSettings, kind: ContentType['kind'], refuse: Refuse): void {
  checkWords<TypeSettings>(settings, words, refuse)
  const { routes, actions = {} } = settings as { readonly routes?: unknown; readonly actions?: unknown }
  if (routes !== undefined) checkOneOf('routes', routes, ['own'], refuse)
  if (actions === null || typeof actions !== 'object') refuse(`actions must be an object, found ${shown(actions)}`)
  for (const [operation, name] of Object.entries(actions as object)) {
    checkOneOf('every key of actions', operation, operationsOf(kind), refuse)
    checkActionName(`actions.${operation}`, name, refuse)
  }
}

/** `api::<api>.<controller>.<action>` and `plugin::<plugin>.<controller>.<action>` (B-6.2). */
const form = /^(?:api|plugin)::[\w-]+\.[\w-]+\.[\w-]+$/

/** Refuses a name that is not that of an action: managers of permissions show the parts as a tree (B-6.40). */
export function checkActionName(what: string, name: unknown, refuse: Refuse): void {
  if (typeof name === 'string' && form.test(name)) return
  refuse(`${what} must have the form plugin::<plugin>.<controller>.<action>, found ${shown(name)}`)
}
