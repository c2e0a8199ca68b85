// The names of generated types and fields (B-9.30 to B-9.39). It handles only strings and knows no schema.

import type { ContentType } from '@plinth/kernel'
import camelCase from 'lodash/camelCase.js'
import upperFirst from 'lodash/upperFirst.js'

const pascal = (text: string) => upperFirst(camelCase(text))

/** `plugin::users-permissions.user` → `UsersPermissions`; empty for types of the application. */
function prefixOf({ uid }: ContentType): string {
  const plugin = /^plugin::([^.]+)\./.exec(uid)?.[1]
  return plugin === undefined ? '' : pascal(plugin)
}

/** The name of the type itself: of a content type's attributes, or of a component. */
export function typeName(type: ContentType): string {
  return type.kind === 'component' ? type.globalId : `${prefixOf(type)}${pascal(type.singularName)}`
}

/** The query of one entry. */
export function oneQuery(type: ContentType): string {
  return camelCase(typeName(type))
}

/** The query of a list. */
export function manyQuery(type: ContentType): string {
  return camelCase(`${prefixOf(type)}${pascal(type.pluralName)}`)
}

/** The subscription to changes of one entry. */
export function oneSubscription(type: ContentType): string {
  return `${oneQuery(type)}Changed`
}

/** The subscription to changes of all entries. */
export function manySubscription(type: ContentType): string {
  return `${manyQuery(type)}Changed`
}

/** The name of an enumeration, unless its attribute has the option `enumName` (B-9.36). */
export function enumTypeName(type: ContentType, attribute: string): string {
  return `ENUM_${typeName(type).toUpperCase()}_${attribute.toUpperCase()}`
}

/** The union of the components of a dynamic zone. */
export function zoneName(type: ContentType, attribute: string): string {
  return `${typeName(type)}${pascal(attribute)}DynamicZone`
}

/** The name of the enumeration of a parameter with fixed values: `publicationState` → `PublicationState`. */
export function parameterTypeName(parameter: string): string {
  return pascal(parameter)
}

/** The description that a schema file gives a type or an attribute, as a member of a definition; without one, none. */
export function describedBy(description: unknown): { readonly description?: string } {
  return typeof description === 'string' && description !== '' ? { description } : {}
}
