// Lists the actions: those of content types, and those that plugins add. Every right, permission and scope names one of
// them. Decides whether an access has the right to an action, and knows neither roles nor transports.

import { type Access, labelOf } from '../context.ts'
import { ForbiddenError, RegistrationError, UsageError } from '../errors.ts'
import { type ContentType, type Operation, operationsOf } from '../model/content-type.ts'
import { checkActionName } from '../model/type-settings.ts'
import { suggestion } from '../nearest.ts'
import type { Action } from '../query/query.ts'
import { Registrar } from '../registration/registrar.ts'
import { checkActionRules, prefixOf, wildcardsOf } from './action-names.ts'
import type { PolicyUse } from './policy.ts'

/** The rules that apply to an action instead of the right to it. */
export interface ActionRules {
  /**
   * `false`: everybody may do it, and transports do not read credentials (B-6.11); the caller has no user and no other
   * right. `scope`: the rights to all these actions are needed, instead of the right to the action itself (B-6.12).
   */
  readonly auth?: false | { readonly scope: readonly string[] }
  /** Policies that transports run before the action, in this order (B-13.47). */
  readonly policies?: readonly PolicyUse[]
}

/** An action after the freeze. */
interface Entry {
  readonly name: string
  /** The rights that a caller needs; empty if everybody may do it. */
  readonly needs: readonly string[]
}

/** The rules of one call of `set` for an action, and the plugin that called it. */
interface Setting {
  readonly rules: ActionRules
  readonly plugin: string
}

/** Policies of an action, and who set them. */
export interface PolicySetting {
  readonly action: string
  readonly uses: readonly PolicyUse[]
  readonly plugin: string
}

/** The actions of a kernel, as `kernel.actions`. */
export class Actions {
  readonly #registrar: Registrar
  readonly #added = new Set<string>()
  readonly #settings = new Map<string, Setting[]>()
  readonly #byName = new Map<string, Entry>()
  /** The entries of operations by the uid of their type, also of types whose actions are not listed. */
  readonly #byType = new Map<string, Readonly<Record<Action, Entry>>>()
  #names: readonly string[] | null = null
  #hasOpen = false

  /** @internal */
  constructor(registrar: Registrar = new Registrar()) {
    this.#registrar = registrar
  }

  /**
   * Lists an action of a plugin, before the freeze, also in `preModel`: `plugin::<plugin>.<controller>.<action>`
   * (B-6.2). Actions of content types are listed by themselves. Throws RegistrationError for a name of another form.
   */
  add(name: string): void {
    checkActionName('the name', name, this.#registrar.begin(`action ${name}`))
    this.#added.add(name)
  }

  /**
   * Sets what applies to an action, before the freeze; of several calls, the last one holds for each key. A start fails
   * with RegistrationError if the action, an action of `scope` or a policy does not exist.
   */
  set(name: string, rules: ActionRules): void {
    const refuse = this.#registrar.begin(`action ${name}`)
    checkActionRules(rules, refuse)
    const setting = { rules: { ...rules }, plugin: this.#registrar.plugin }
    this.#settings.set(name, [...(this.#settings.get(name) ?? []), setting])
  }

  /** All actions, sorted. Throws UsageError before the freeze: in the hook `onModel`, all are known. */
  get names(): readonly string[] {
    if (this.#names === null)
      throw new UsageError(
        'PLINTH_NOT_STARTED',
        'The actions are not known before the model is frozen; read them in the hook onModel or later',
      )
    return this.#names
  }

  /** Returns whether the action exists. A stored permission for another one has no effect (B-6.3). */
  has(name: string): boolean {
    return this.#byName.has(name)
  }

  /** Throws RegistrationError, which names the nearest action, if the action does not exist. Only after the freeze. */
  require(name: string): void {
    const { names } = this
    if (!this.has(name)) throw unknownAction(name, names)
  }

  /**
   * The actions that a name or a pattern means. In a pattern `*` is the last part and stands for all that can follow:
   * `api::article.article.*`, `api::article.*`, `plugin::*`, `*`. Throws RegistrationError, which names the nearest one, if
   * there is none. Only after the freeze.
   */
  match(pattern: string): readonly string[] {
    const { names } = this
    const prefix = prefixOf(pattern)
    if (prefix === null) {
      this.require(pattern)
      return [pattern]
    }
    const matchingNames = names.filter(name => name.startsWith(prefix))
    if (matchingNames.length === 0) throw unknownAction(pattern, wildcardsOf(names))
    return matchingNames
  }

  /**
   * The name of the action of a content type's operation: `<uid>.<operation>`, unless the type names it otherwise. A
   * count is a `find`; single types are created by `update`, and their entry is found by `find` (B-1.7). Only after the
   * freeze.
   */
  of(uid: string, operation: Action): string {
    return this.#entry(uid, operation).name
  }

  /** The rights that a caller needs for an action: its own name, those of `scope`, or none if everybody may do it. */
  needs(name: string): readonly string[] {
    return this.#byName.get(name)?.needs ?? [name]
  }

  /** Returns whether everybody may do the action, so that transports must not read credentials for it. */
  isOpen(name: string): boolean {
    return this.#byName.get(name)?.needs.length === 0
  }

  /**
   * Returns whether everybody may do any of the actions. If not, transports need not look which one a request is for.
   */
  get hasOpen(): boolean {
    return this.#hasOpen
  }

  /**
   * Throws ForbiddenError if the access lacks the right to an action. Throws UsageError if the action does not exist.
   */
  authorize(name: string, access: Access): void {
    const entry = this.#byName.get(name)
    if (entry === undefined)
      throw new UsageError('PLINTH_ACTION_UNKNOWN', `Unknown action "${name}"${suggestion(name, this.names)}`)
    checkAccess(entry, access)
  }

  /**
   * The same for an operation of a content type, listed or not.
   * @internal
   */
  authorizeOperation(uid: string, operation: Action, access: Access): void {
    checkAccess(this.#entry(uid, operation), access)
  }

  /**
   * The policies that were set, after the freeze.
   * @internal
   */
  policies(): PolicySetting[] {
    return [...this.#settings].flatMap(([action, settings]) => {
      const last = settings.findLast(({ rules }) => rules.policies !== undefined)
      return last === undefined ? [] : [{ action, uses: last.rules.policies!, plugin: last.plugin }]
    })
  }

  /**
   * Lists the actions of the frozen model, and checks what was set.
   * @internal
   */
  freeze(types: readonly ContentType[]): void {
    const entities = types.filter(type => type.kind !== 'component')
    const names = new Set([...this.#added, ...entities.flatMap(listedBy)])
    this.#names = Object.freeze([...names].sort())
    for (const name of this.#names) this.#byName.set(name, { name, needs: [name] })
    for (const [name, settings] of this.#settings) this.#apply(name, settings)
    for (const type of entities) this.#byType.set(type.uid, this.#operations(type))
    this.#hasOpen = [...this.#byName.values()].some(one => one.needs.length === 0)
  }

  #apply(name: string, settings: readonly Setting[]): void {
    for (const { rules, plugin } of settings) {
      this.#requireFor(plugin, name, name)
      if (rules.auth === undefined) continue
      const needs = rules.auth === false ? [] : rules.auth.scope
      for (const scope of needs) this.#requireFor(plugin, name, scope)
      this.#byName.set(name, { name, needs })
    }
  }

  /** Refuses what `plugin` set for `name` if the action `requiredName` does not exist. */
  #requireFor(plugin: string, name: string, requiredName: string): void {
    if (this.has(requiredName)) return
    const what = requiredName === name ? 'does not exist' : `auth.scope: there is no action "${requiredName}"`
    this.#registrar.refusal(`action ${name}`, plugin)(
      what + suggestion(requiredName, this.names),
      'PLINTH_ACTION_UNKNOWN',
    )
  }

  #operations(type: ContentType): Readonly<Record<Action, Entry>> {
    const entry = (operation: Operation): Entry => {
      const name = nameOf(type, operation)
      return this.#byName.get(name) ?? { name, needs: [name] }
    }
    const find = entry('find')
    const update = entry('update')
    const isSingle = type.kind === 'singleType'
    return {
      find,
      count: find,
      findOne: isSingle ? find : entry('findOne'),
      create: isSingle ? update : entry('create'),
      update,
      delete: entry('delete'),
    }
  }

  #entry(uid: string, operation: Action): Entry {
    const entries = this.#byType.get(uid)
    if (entries !== undefined) return entries[operation]
    // Throws before the freeze.
    void this.names
    throw new UsageError('PLINTH_TYPE_UNKNOWN', `Unknown content type "${uid}"${suggestion(uid, this.#byType.keys())}`)
  }
}

function nameOf({ uid, actions }: ContentType, operation: Operation): string {
  return actions[operation] ?? `${uid}.${operation}`
}

/** The actions that a type lists: those of all its operations, or if it is internal, those that it names itself. */
function listedBy(type: ContentType): string[] {
  return operationsOf(type.kind)
    .filter(operation => !type.internal || type.actions[operation] !== undefined)
    .map(operation => nameOf(type, operation))
}

function checkAccess({ needs }: Entry, access: Access): void {
  for (const scope of needs)
    if (!access.can(scope)) throw new ForbiddenError().withReason(() => `${labelOf(access)} lacks ${scope}`)
}

function unknownAction(name: string, actionNames: readonly string[]): RegistrationError {
  return new RegistrationError('PLINTH_ACTION_UNKNOWN', `Unknown action "${name}"${suggestion(name, actionNames)}`)
}
