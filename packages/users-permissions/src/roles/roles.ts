// The roles in memory: who may do what, without a statement per request. Changes of this process are seen at once, those
// of others within five seconds.

import { type Access, CredentialsError, type Kernel } from '@plinth/kernel'
import { noRules, type RoleRules } from '../rules/rule.ts'
import type { DeclaredActions } from './declared.ts'
import type { Role, RolesInMemory, User } from './role.ts'
import { RoleStore, type StoredRole } from './store.ts'

/** The time that the roles are used without asking whether they have changed, in milliseconds. */
const maxAge = 4500

/** The settings of roles, by their types. */
export interface RoleSettings {
  readonly declared: DeclaredActions
  readonly rules: ReadonlyMap<string, RoleRules>
  /** The relations of users that rules read, beside their scalars. */
  readonly userPopulate: Readonly<Record<string, object>>
}

/** The role of a database without a public role: it permits nothing. */
const nobody: Role = { id: 0, type: 'public', name: 'Public', version: 0, actions: new Set(), rules: noRules }

export class Roles implements RolesInMemory {
  readonly store: RoleStore
  readonly #kernel: Kernel
  #settings: RoleSettings = { declared: new Map(), rules: new Map(), userPopulate: {} }
  #byId: ReadonlyMap<number, Role> = new Map()
  #public: Role = nobody
  #publicAccess: Access = Object.freeze(this.accessOf(nobody, null))
  #lastVersion = 0
  #fingerprint = ''
  #checkedAt = 0
  /** The check that runs at present. */
  #check: Promise<void> | null = null
  /** The last reading of the tables; each one begins when the one before has ended. */
  #reading: Promise<void> = Promise.resolve()

  constructor(kernel: Kernel) {
    this.#kernel = kernel
    this.store = new RoleStore(kernel)
  }

  get public(): Role {
    return this.#public
  }

  get publicAccess(): Access {
    return this.#publicAccess
  }

  get all(): readonly Role[] {
    return [...this.#byId.values()]
  }

  get declared(): DeclaredActions {
    return this.#settings.declared
  }

  get userPopulate(): Readonly<Record<string, object>> {
    return this.#settings.userPopulate
  }

  /** Sets what the settings say, after the model is known and before the tables are read. */
  configure(settings: RoleSettings): void {
    this.#settings = settings
  }

  ofUser(roleId: number | null): Role {
    return (roleId === null ? undefined : this.#byId.get(roleId)) ?? this.#public
  }

  accessOf(role: Role, user: User | null): Access {
    const { actions, rules } = role
    // A stranger whom nothing is permitted must authenticate (B-6.10).
    const isClosed = user === null && actions.size === 0
    return {
      key: `role:${role.id}@${role.version}`,
      label: `role ${role.type}`,
      user,
      roleRules: rules,
      can: isClosed ? refuseStranger : scope => actions.has(scope),
    }
  }

  refresh(now: number = performance.now()): Promise<void> | undefined {
    if (this.#check !== null) return this.#check
    if (now - this.#checkedAt < maxAge) return undefined
    this.#check = this.#readIfChanged().finally(() => {
      this.#check = null
    })
    return this.#check
  }

  async #readIfChanged(): Promise<void> {
    const now = performance.now()
    if ((await this.store.fingerprint()) !== this.#fingerprint) await this.reload()
    this.#checkedAt = now
  }

  /**
   * Reads the tables, after a reading that has begun before. Throws the error of the database; the next request then
   * reads them again, because it must not be checked by roles that are known to have changed.
   */
  reload(): Promise<void> {
    const read = () =>
      this.#read().catch(error => {
        this.#fingerprint = ''
        this.#checkedAt = Number.NEGATIVE_INFINITY
        throw error
      })
    this.#reading = this.#reading.then(read, read)
    return this.#reading
  }

  async #read(): Promise<void> {
    const now = performance.now()
    // Before the rows: what changes in between is seen by the next check.
    const fingerprint = await this.store.fingerprint()
    const stored = await this.store.read()
    const actionNames = new Set(this.#kernel.actions.names)
    this.#byId = new Map(stored.map(one => [one.id, this.#roleOf(one, actionNames)]))
    this.#setPublic([...this.#byId.values()].find(role => role.type === 'public') ?? nobody)
    this.#fingerprint = fingerprint
    this.#checkedAt = now
  }

  #setPublic(role: Role): void {
    if (role === this.#public) return
    this.#public = role
    this.#publicAccess = Object.freeze(this.accessOf(role, null))
  }

  /** The role, which is the same object as before if nothing of it has changed, so that its plans are used again. */
  #roleOf({ id, name, type, actions: stored }: StoredRole, actionNames: ReadonlySet<string>): Role {
    // Permissions for actions that do not exist have no effect (B-6.3).
    const actions = new Set(stored.filter(action => actionNames.has(action)))
    for (const action of this.#settings.declared.get(type) ?? []) actions.add(action)
    const before = this.#byId.get(id)
    if (before?.name === name && before.type === type && isSame(before.actions, actions)) return before
    const rules = this.#settings.rules.get(type) ?? noRules
    return { id, type, name, version: ++this.#lastVersion, actions, rules }
  }
}

function isSame(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  return left.size === right.size && [...left].every(one => right.has(one))
}

function refuseStranger(scope: string): never {
  throw new CredentialsError().withReason(() => `role public lacks ${scope}, and has no right at all`)
}
