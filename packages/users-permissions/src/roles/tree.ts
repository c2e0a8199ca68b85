// The tree of permissions in the bodies of the roles endpoints (B-6.36, B-6.40): actions by the part of the application
// and the controller that they belong to.

import { isRecord, suggestion, ValidationError } from '@plinth/kernel'

/** An action of the tree. `policy` is a relic of v3 and always empty. */
interface Leaf {
  readonly enabled: boolean
  readonly policy: ''
}

/** `{ 'api::article': { controllers: { article: { find: { enabled: true, policy: '' } } } } }` */
export type PermissionTree = Record<string, { readonly controllers: Record<string, Record<string, Leaf>> }>

/** Returns whether the name of an action has the three parts by which it stands in the tree. */
export function isInTree(action: string): boolean {
  return action.split('.').length === 3
}

/** All actions as a tree, with those enabled that are permitted. */
export function treeOf(actions: readonly string[], permitted: ReadonlySet<string>): PermissionTree {
  const tree: PermissionTree = {}
  for (const action of actions) {
    if (!isInTree(action)) continue
    const [part, controller, name] = action.split('.') as [string, string, string]
    tree[part] ??= { controllers: {} }
    const { controllers } = tree[part]
    controllers[controller] ??= {}
    controllers[controller][name] = { enabled: permitted.has(action), policy: '' }
  }
  return tree
}

/** The actions of a tree that a client sent, by whether they are enabled. */
export interface SentActions {
  readonly enabled: ReadonlySet<string>
  readonly disabled: ReadonlySet<string>
}

/** Reads a tree that a client sent. Throws ValidationError for another form, and for an enabled action that does not exist. */
export function readTree(sent: unknown, actionNames: ReadonlySet<string>): SentActions {
  const enabled = new Set<string>()
  const disabled = new Set<string>()
  for (const [part, { controllers }] of entriesOf(sent, 'permissions')) {
    for (const [controller, actions] of entriesOf(controllers, `permissions.${part}.controllers`)) {
      const path = `permissions.${part}.controllers.${controller}`
      for (const [name, leaf] of entriesOf(actions, path)) {
        const action = `${part}.${controller}.${name}`
        if (!leaf.enabled) disabled.add(action)
        else if (actionNames.has(action)) enabled.add(action)
        else throw unknownAction(action, actionNames, `${path}.${name}`)
      }
    }
  }
  return { enabled, disabled }
}

function unknownAction(action: string, actionNames: ReadonlySet<string>, path: string): ValidationError {
  return new ValidationError(`There is no action ${JSON.stringify(action)}${suggestion(action, actionNames)}`, { path })
}

/** The members of an object, all of which must be objects. As in v4, null and an empty list have no members. */
function entriesOf(value: unknown, path: string): [string, Record<string, unknown>][] {
  if (isEmpty(value)) return []
  if (!isRecord(value)) throw new ValidationError(`${path} must be an object`, { path })
  for (const [name, member] of Object.entries(value))
    if (!isRecord(member) && !isEmptyList(member))
      throw new ValidationError(`${path}.${name} must be an object`, { path: `${path}.${name}` })
  return Object.entries(value) as [string, Record<string, unknown>][]
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || isEmptyList(value)
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}
