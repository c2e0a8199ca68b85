// Finds names of the model that GraphQL cannot have, and names the schema file and the attribute, which graphql-js does not
// know. Other transports answer such types.

import { type ContentType, InvalidSchemaError } from '@plinth/kernel'
import type { ExposedModel } from './exposed.ts'
import { enumTypeName, typeName, zoneName } from './names.ts'

/** Throws InvalidSchemaError for attributes, and for types of attributes, whose names have other signs than GraphQL allows. */
export function refuseNames(exposed: ExposedModel): void {
  for (const type of exposed.all) {
    const name = typeName(type)
    if (!isName(name)) fail(type, placeOfName(type), `GraphQL allows no type with the name "${name}"`)
    const attributes = new Set([...exposed.outputs(type), ...exposed.inputs(type), ...exposed.filters(type)])
    for (const attribute of attributes) {
      if (!isName(attribute.name)) fail(type, `attributes.${attribute.name}`, `GraphQL allows no field with this name`)
      const { enumName } = attribute.definition
      if (attribute.type === 'enumeration' && typeof enumName === 'string' && !isName(enumName))
        fail(type, `attributes.${attribute.name}.enumName`, `GraphQL allows no type with the name "${enumName}"`)
    }
  }
}

/** The error for two types of one name: with the schema that needs the name. Other errors stay as they are. */
export function locatedClash(error: unknown, exposed: ExposedModel): unknown {
  const name = /multiple types named "(\w+)"/.exec(String((error as Error).message))?.[1]
  if (name === undefined) return error
  const places = exposed.all.flatMap(type => placesOf(type, name))
  // A type of its very name clashes with one that GraphQL, or another type, generates.
  const [first, second] = places.toSorted((a, b) => Number(b.isWhole) - Number(a.isWhole))
  if (first === undefined) return error
  const other =
    second === undefined ? 'which the schema has already' : `which ${second.type.source} (${second.path}) needs too`
  const hint = 'choose another name, or leave the type out by shadowCRUD(…).disable()'
  return new InvalidSchemaError(first.type.source, first.path, `it needs the GraphQL type "${name}", ${other}; ${hint}`)
}

interface Place {
  readonly type: ContentType
  readonly path: string
  readonly isWhole: boolean
}

const suffixes = [
  'Entity',
  'EntityResponse',
  'EntityResponseCollection',
  'RelationResponseCollection',
  'Input',
  'FiltersInput',
  'EntityChange',
]

/** Lists where a schema needs a type of this name. */
function placesOf(type: ContentType, name: string): Place[] {
  const places: Place[] = []
  const own = typeName(type)
  const isWhole = own === name
  if (isWhole || suffixes.some(suffix => `${own}${suffix}` === name))
    places.push({ type, path: placeOfName(type), isWhole })
  for (const attribute of type.attributes.values()) {
    const { enumName } = attribute.definition
    const path = `attributes.${attribute.name}`
    if (attribute.kind === 'zone') {
      const zone = zoneName(type, attribute.name)
      if (zone === name || `${zone}Input` === name) places.push({ type, path, isWhole: false })
    } else if (attribute.type === 'enumeration') {
      const ownName = typeof enumName === 'string' ? enumName : enumTypeName(type, attribute.name)
      if (ownName === name)
        places.push({ type, path: enumName === undefined ? path : `${path}.enumName`, isWhole: true })
    }
  }
  return places
}

/** The option of a schema from which the name of its GraphQL type follows. */
function placeOfName(type: ContentType): string {
  return type.kind === 'component' ? 'globalId' : 'info.singularName'
}

function isName(name: string): boolean {
  return /^[_a-zA-Z]\w*$/.test(name) && !name.startsWith('__')
}

function fail(type: ContentType, path: string, fault: string): never {
  throw new InvalidSchemaError(type.source, path, `${fault}; choose another name, or hide it by shadowCRUD(…)`)
}
