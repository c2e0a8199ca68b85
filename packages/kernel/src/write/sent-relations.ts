// Finds the relations in sent data, in components and zones too. Knows neither rules nor rights.

import type {
  Attribute,
  ComponentAttribute,
  ContentType,
  RelationAttribute,
  Uid,
  ZoneAttribute,
} from '../model/content-type.ts'
import type { Registry } from '../model/registry.ts'
import { isRecord } from '../record.ts'

type Data = Record<string, unknown>
type LinkingAttribute = RelationAttribute | ComponentAttribute | ZoneAttribute

/** Returns the value to keep for a relation of a type or component; undefined removes the relation. */
export type KeepRelation = (own: ContentType, attribute: RelationAttribute, value: unknown) => unknown

/** The relations in sent data. */
export class SentRelations {
  readonly #registry: Registry
  readonly #linking = new Map<ContentType, readonly LinkingAttribute[]>()

  constructor(registry: Registry) {
    this.#registry = registry
    for (const type of registry.values()) this.#linking.set(type, [...type.attributes.values()].filter(isLinking))
  }

  /** Returns the types that entries of a type may link to, by themselves and by their components. */
  targets(type: ContentType): readonly Uid[] {
    const uids = new Set<Uid>()
    const visitedTypes = new Set<ContentType>()
    const visit = (own: ContentType) => {
      if (visitedTypes.has(own)) return
      visitedTypes.add(own)
      for (const attribute of this.#linking.get(own) ?? []) {
        if (attribute.kind === 'zone') for (const uid of attribute.components) visit(this.#registry.require(uid))
        else if (attribute.kind === 'component') visit(this.#registry.require(attribute.component))
        else if (attribute.target !== null) uids.add(attribute.target)
        else for (const { uid, kind } of this.#registry.values()) if (kind !== 'component') uids.add(uid)
      }
    }
    visit(type)
    return [...uids]
  }

  /** Returns whether data may contain relations, at the top or in components and zones. */
  areIn(type: ContentType, data: Data): boolean {
    for (const { name } of this.#linking.get(type) ?? []) if (Object.hasOwn(data, name)) return true
    return false
  }

  /** Returns the data with each relation replaced by what `keep` returns; the same object if nothing changes. */
  map(type: ContentType, data: Data, keep: KeepRelation): Data {
    let copy: Record<string, unknown> | null = null
    for (const attribute of this.#linking.get(type) ?? []) {
      const { name } = attribute
      if (!Object.hasOwn(data, name)) continue
      const value = data[name]
      const replacement =
        attribute.kind === 'relation' ? keep(type, attribute, value) : this.#below(attribute, value, keep)
      if (replacement === value) continue
      copy ??= { ...data }
      if (replacement === undefined) delete copy[name]
      else copy[name] = replacement
    }
    return copy ?? data
  }

  #below(attribute: ComponentAttribute | ZoneAttribute, value: unknown, keep: KeepRelation): unknown {
    const one = (item: unknown) => {
      if (!isRecord(item)) return item
      const uid = attribute.kind === 'component' ? attribute.component : item.__component
      const type = typeof uid === 'string' ? this.#registry.get(uid) : undefined
      return type === undefined ? item : this.map(type, item, keep)
    }
    if (!Array.isArray(value)) return one(value)
    const items = value.map(one)
    return items.some((item, i) => item !== value[i]) ? items : value
  }
}

/** Returns whether input of the attribute may contain links that are written. */
function isLinking(attribute: Attribute): attribute is LinkingAttribute {
  if (attribute.readonly) return false
  return attribute.kind === 'relation' || attribute.kind === 'component' || attribute.kind === 'zone'
}
