/**
 * The types that programs of concurrent writes use, grouped by what can be done with them. It depends on the model
 * only.
 */

import type { Attribute, ContentType } from '@plinth/kernel'
import { isLinked } from './program-values.ts'

const isCollection = (type: ContentType) => type.kind === 'collectionType' && type.uid.startsWith('api::')
export const isLocalized = (type: ContentType) => type.attributes.has('localizations')

/** The types that programs write, grouped by what can be done with them. */
export class WrittenTypes {
  readonly types: ReadonlyMap<string, ContentType>
  readonly collections: readonly ContentType[]
  readonly holders: readonly ContentType[]
  readonly localized: readonly ContentType[]
  readonly singles: readonly ContentType[]
  readonly unique: readonly ContentType[]
  readonly relations: readonly (readonly [ContentType, string])[]

  constructor(types: Iterable<ContentType>) {
    const all = [...types]
    this.types = new Map(all.map(one => [one.uid, one]))
    this.collections = all.filter(isCollection).filter(one => one.uid !== 'api::specimen.specimen')
    this.holders = this.collections.filter(one => one.hasComponents)
    this.localized = this.collections.filter(isLocalized)
    this.singles = all.filter(one => one.kind === 'singleType')
    this.unique = this.collections.filter(one => this.#hasUnique(one))
    this.relations = this.collections.flatMap(type =>
      [...type.attributes.values()].filter(isLinked).map(one => [type, one.name] as const),
    )
  }

  #hasUnique(type: ContentType): boolean {
    return [...type.attributes.values()].some(one => {
      if (one.kind === 'scalar') return one.unique
      const parts = one.kind === 'component' ? [one.component] : []
      return parts.some(uid => this.#hasUnique(this.types.get(uid)!))
    })
  }
}

/** Whether all translations of an entry share the value, by the rule of i18n (B-7.1). */
export function isShared(one: {
  kind: string
  type: string
  name: string
  readonly: boolean
  definition: object
}): boolean {
  if (one.kind === 'relation' || one.kind === 'dormant' || one.type === 'uid' || one.type === 'password') return false
  if (one.readonly || one.name === 'locale' || one.name === 'publishedAt') return false
  const { pluginOptions } = one.definition as { pluginOptions?: { i18n?: { localized?: boolean } } }
  return pluginOptions?.i18n?.localized !== true
}

/** Whether `other`, an attribute of the target type, is the other side of the relation. */
export function isOpposite(type: ContentType, name: string, other: Attribute): boolean {
  if (!isLinked(other)) return false
  if (type.attributes.get(name)!.definition.morphBy === other.name) return true
  const { morphBy, mappedBy, inversedBy } = other.definition
  return other.target === type.uid && [morphBy, mappedBy, inversedBy].includes(name)
}
