// Finds the types whose entries a sent relation changes: those that it links or unlinks, and those from whose entries
// it takes what it links. Depends on what was sent, never on what is linked. Knows neither rules nor rights.

import {
  type Attribute,
  type ContentType,
  inversesOf,
  type RelationAttribute,
  takesTargets,
  type Uid,
} from '../model/content-type.ts'
import type { Registry } from '../model/registry.ts'
import type { LinkingWrite } from '../plan/link.ts'
import { sentChange } from './relation-input.ts'

type Action = LinkingWrite['action']

/** A type, and the attributes of its entries that lose a link. */
export interface AffectedType {
  readonly type: ContentType
  readonly names: readonly string[]
}

/** The types that a relation to any type changes if it replaces the links of an entry. */
interface ReplacedTypes {
  /** The types that show these links from the other side. */
  readonly uids: readonly Uid[]
  /** The types with components that do, by the attributes that lead to the components. */
  readonly holders: readonly AffectedType[]
}

const noTypes: readonly AffectedType[] = []

/** The types that sent relations reach. */
export class ReachedTypes {
  readonly #registry: Registry
  readonly #replaced = new Map<RelationAttribute, ReplacedTypes>()

  constructor(registry: Registry) {
    this.#registry = registry
  }

  /**
   * Returns the types whose entries may be linked or unlinked by a value. A relation to any type reaches those that the
   * value names and, if it replaces the links of an entry, all that show them.
   */
  by(own: ContentType, attribute: RelationAttribute, value: unknown, action: Action): readonly Uid[] {
    if (attribute.target !== null) return [attribute.target]
    const change = sentChange(attribute, value)
    if (change === null) return []
    const refs = change.kind === 'set' ? change.refs : [...change.connect.map(one => one.ref), ...change.disconnect]
    const uids = new Set(refs.map(one => one.type!))
    if (!isReplaced(attribute, value, action)) return [...uids]
    return [...new Set([...uids, ...this.#replacedBy(own, attribute).uids])]
  }

  /** Returns the types of whose components a value may unlink an entry that it does not name. */
  holders(own: ContentType, attribute: RelationAttribute, value: unknown, action: Action): readonly AffectedType[] {
    return isReplaced(attribute, value, action) ? this.#replacedBy(own, attribute).holders : noTypes
  }

  /**
   * Returns the types from whose entries a relation of `own` takes what it links. An update of `own` names the relation
   * itself, so that this relation of other entries of the type needs no look of its own.
   */
  formerOwners(own: ContentType, attribute: RelationAttribute, action: Action): readonly AffectedType[] {
    if (attribute.storage.kind === 'inverseMorphColumns') return this.#morphOwners(own, attribute, action)
    if (!takesTargets(attribute) || action === 'update') return noTypes
    return [{ type: own, names: [attribute.name] }]
  }

  /** Returns the types with relations to the same attribute of the target, which links to one entry of any of them. */
  #morphOwners(own: ContentType, { name, target, definition }: RelationAttribute, action: Action): AffectedType[] {
    const { morphBy } = definition
    return this.#contentTypes().flatMap(type => {
      const names = [...type.attributes.values()]
        .filter(one => one.kind === 'relation' && one.target === target && one.definition.morphBy === morphBy)
        .map(one => one.name)
        .filter(one => action === 'create' || type !== own || one !== name)
      return names.length === 0 ? [] : [{ type, names }]
    })
  }

  #contentTypes(): ContentType[] {
    return [...this.#registry.values()].filter(one => one.kind !== 'component')
  }

  /** Returns whether components of an attribute, or components in them, fulfil `test`. */
  #contains(attribute: Attribute, test: (type: ContentType) => boolean, visitedUids = new Set<Uid>()): boolean {
    const { kind } = attribute
    const uids = kind === 'component' ? [attribute.component] : kind === 'zone' ? attribute.components : []
    return uids.some(uid => {
      if (visitedUids.has(uid)) return false
      visitedUids.add(uid)
      const type = this.#registry.require(uid)
      return test(type) || [...type.attributes.values()].some(one => this.#contains(one, test, visitedUids))
    })
  }

  #replacedBy(own: ContentType, attribute: RelationAttribute): ReplacedTypes {
    const cached = this.#replaced.get(attribute)
    if (cached !== undefined) return cached
    const shows = (type: ContentType) => inversesOf(own, attribute, type).length > 0
    const types = this.#contentTypes()
    const holders = types.flatMap(type => {
      const names = [...type.attributes.values()].filter(one => this.#contains(one, shows)).map(one => one.name)
      return names.length === 0 ? [] : [{ type, names }]
    })
    const replaced = { uids: types.filter(shows).map(one => one.uid), holders }
    this.#replaced.set(attribute, replaced)
    return replaced
  }
}

/** Returns whether a value of a relation to any type unlinks entries that it does not name. */
function isReplaced(attribute: RelationAttribute, value: unknown, action: Action): boolean {
  if (attribute.target !== null || action === 'create') return false
  const change = sentChange(attribute, value)
  return change !== null && (change.kind === 'set' || !attribute.many)
}
