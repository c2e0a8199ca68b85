// Decides where entries that link an entry are looked for: in the relations of other types, also inside of components. Zones
// and polymorphic relations cannot be filtered.

import { mayDo } from './build.ts'
import type { Parameter } from './query-string.ts'
import { isFollowed, namingFields } from './relations.ts'
import type { Attribute, ContentType, Model } from './types.ts'

/** The relations of one type that may link an entry. */
export interface LinkingType {
  readonly type: ContentType
  /** The names from the type to the relation: `['hero', 'article']`. */
  readonly paths: readonly (readonly string[])[]
}

/** Deeper components are not looked into. */
const maxDepth = 3

/** The number of entries of each type that are shown. */
export const shownOfEach = 5

/** The types that the user may list, with their relations to the type. */
export function linkingTypes(target: ContentType, model: Model): readonly LinkingType[] {
  return model.types
    .filter(type => mayDo(type, 'find'))
    .map(type => {
      const attributes = type.attributes.filter(attribute => isFollowed(type, attribute))
      return { type, paths: pathsTo(target.uid, attributes, model, 0) }
    })
    .filter(({ paths }) => paths.length > 0)
}

function pathsTo(
  uid: string,
  attributes: readonly Attribute[],
  model: Model,
  depth: number,
): readonly (readonly string[])[] {
  if (depth > maxDepth) return []
  return attributes.flatMap(({ name, type, isPrivate, options }) => {
    if (isPrivate) return []
    if (type === 'relation') return isHeldLink(options, uid) ? [[name]] : []
    if (type !== 'component') return []
    const inner = model.components.get(String(options.component))?.attributes ?? []
    return pathsTo(uid, inner, model, depth + 1).map(path => [name, ...path])
  })
}

/** Returns whether this side holds the links. Those of the other side are in the form of the entry itself. */
const isHeldLink = ({ target, relation, mappedBy }: Attribute['options'], uid: string): boolean =>
  target === uid && mappedBy === undefined && !/^morph/.test(String(relation))

/** The parameters of the list of entries that link the entry. */
export function usedByParameters({ type, paths }: LinkingType, id: number): { readonly [name: string]: Parameter } {
  const filterOf = (path: readonly string[]): Parameter =>
    path.reduceRight<Parameter>((inner, name) => ({ [name]: inner }), { id: { $eq: id } })
  return {
    fields: namingFields(type),
    filters: { $or: paths.map(filterOf) },
    pagination: { pageSize: shownOfEach },
    ...(type.isLocalized && { locale: 'all' }),
  }
}
