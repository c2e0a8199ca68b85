// Finds the attributes of users that `$user.<path>` names in rules, what must be read of a user for them, and their
// values in the row of a user.

import { type ContentType, type Registry, suggestion } from '@plinth/kernel'
import { type Family, familyOf } from './family.ts'
import { RuleFault } from './rule.ts'

/** The longest path, in relations. Each one is read with every user. */
const maxRelations = 3

/** A path that exists. */
export interface UserPath {
  readonly names: readonly string[]
  readonly family: Family
  /** True if a user may have several values. */
  readonly isList: boolean
}

/** The fields and relations that are read of the entries below one name, as `populate` of `kernel.query` takes it. */
export interface Population {
  readonly fields: string[]
  readonly populate: Record<string, Population>
}

/** The paths that the rules of all roles name. */
export class UserPaths {
  readonly #registry: Registry
  readonly #uid: string
  readonly #secrets: readonly string[]
  readonly #populate: Record<string, Population> = {}

  /** `uid` is that of the users; `secrets` are their attributes that are not read with them. */
  constructor(registry: Registry, uid: string, secrets: readonly string[] = []) {
    this.#registry = registry
    this.#uid = uid
    this.#secrets = secrets
  }

  /** The relations that are populated when a user is read, so that all paths have their values. */
  get populate(): Readonly<Record<string, Population>> {
    return this.#populate
  }

  /** Finds the path `$user.<names>`. Throws RuleFault if an attribute does not exist or has no values to compare. */
  find(text: string, place: string): UserPath {
    const [, ...names] = text.split('.')
    if (names.length === 0 || names.includes(''))
      throw new RuleFault(place, `${JSON.stringify(text)} does not name an attribute of the user, as "$user.id" does`)
    let type = this.#registry.require(this.#uid)
    let level = this.#populate
    let isList = false
    for (const [i, name] of names.slice(0, -1).entries()) {
      const step = this.#step(type, name, text, place)
      if (i === maxRelations)
        throw new RuleFault(place, `${JSON.stringify(text)} follows more than ${maxRelations} relations`)
      isList ||= step.many
      level[name] ??= { fields: ['id'], populate: {} }
      const last = i === names.length - 2
      if (last && !level[name].fields.includes(names.at(-1)!)) level[name].fields.push(names.at(-1)!)
      level = level[name].populate
      type = step.to
    }
    return { names, family: this.#family(type, names.at(-1)!, text, place), isList }
  }

  #step(type: ContentType, name: string, text: string, place: string): { readonly to: ContentType; many: boolean } {
    const attribute = type.attributes.get(name)
    if (attribute?.kind === 'component')
      return { to: this.#registry.require(attribute.component), many: attribute.many }
    if (attribute?.kind === 'relation' && attribute.target !== null)
      return { to: this.#registry.require(attribute.target), many: attribute.many }
    const fault =
      attribute === undefined
        ? `${type.uid} has no attribute "${name}"${suggestion(name, type.attributes.keys())}`
        : `"${name}" of ${type.uid} leads to no other attributes`
    throw new RuleFault(place, `${JSON.stringify(text)}: ${fault}`)
  }

  #family(type: ContentType, name: string, text: string, place: string): Family {
    if (name === 'id') return 'id'
    const attribute = type.attributes.get(name)
    const isSecret = type.uid === this.#uid && this.#secrets.includes(name)
    if (attribute?.kind === 'scalar' && attribute.scalar.secret !== true && !isSecret) return familyOf(attribute)
    const names = ['id', ...type.attributes.keys()]
    const fault =
      attribute === undefined
        ? `${type.uid} has no attribute "${name}"${suggestion(name, names)}`
        : attribute.kind === 'scalar'
          ? `"${name}" of ${type.uid} is secret`
          : `"${name}" of ${type.uid} is not a value; name one of its attributes, such as "${text}.id"`
    throw new RuleFault(place, `${JSON.stringify(text)}: ${fault}`)
  }
}

/** The value of a path without lists in the row of a user; null if there is no user or an attribute is null. */
export function valueAt(user: unknown, names: readonly string[]): unknown {
  let value = user
  for (const name of names) value = isRow(value) ? value[name] : null
  return value ?? null
}

/** The values of a path in the row of a user; none if there is no user or an attribute is null. */
export function valuesAt(user: unknown, names: readonly string[]): unknown[] {
  let values: unknown[] = [user]
  for (const name of names) {
    values = values.flatMap(one => (isRow(one) ? [one[name]].flat() : []))
  }
  return values.filter(value => value !== null && value !== undefined)
}

function isRow(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object'
}
