// Converts types that are written as code to the schema language and a map of resolvers, so that there is one way by
// which extensions change the generated schema. What has the name of a type that exists extends it.

import {
  type DefinitionNode,
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLFieldConfig,
  GraphQLInputObjectType,
  GraphQLInterfaceType,
  type GraphQLNamedType,
  GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  isUnionType,
  parse,
  printType,
} from 'graphql'

/** Types in the schema language, and their functions. */
export interface Additions {
  readonly definitions: readonly DefinitionNode[]
  readonly resolvers: Readonly<Record<string, unknown>>
}

/**
 * Returns the additions of types to a schema, with the types that they refer to. Leaves out fields that the schema has
 * already.
 */
export function additionsOf(roots: readonly GraphQLNamedType[], schema: GraphQLSchema): Additions {
  const definitions: DefinitionNode[] = []
  const resolvers: Record<string, unknown> = {}
  for (const type of withReferences(roots, schema)) {
    const added = withoutKnown(type, schema)
    if (added === null) continue
    definitions.push(...parse(printType(added), { noLocation: true }).definitions)
    const functions = functionsOf(added)
    if (functions !== null) resolvers[type.name] = functions
  }
  return { definitions, resolvers }
}

/** The types and all that they lead to; those that the schema has are not followed unless they are given. */
function withReferences(roots: readonly GraphQLNamedType[], schema: GraphQLSchema): Set<GraphQLNamedType> {
  const reached = new Set<GraphQLNamedType>()
  const add = (type: GraphQLNamedType) => {
    if (reached.has(type)) return
    reached.add(type)
    for (const one of referencesOf(type)) {
      const namedType = getNamedType(one)
      const isKnown = isSpecifiedScalarType(namedType) || schema.getType(namedType.name) !== undefined
      if (!isKnown && !roots.some(other => other.name === namedType.name)) add(namedType)
    }
  }
  for (const type of roots) add(type)
  return reached
}

function referencesOf(type: GraphQLNamedType) {
  if (isUnionType(type)) return type.getTypes()
  if (isInputObjectType(type)) return Object.values(type.getFields()).map(one => one.type)
  if (!isObjectType(type) && !isInterfaceType(type)) return []
  const fields = Object.values(type.getFields())
  return [...type.getInterfaces(), ...fields.flatMap(one => [one.type, ...one.args.map(arg => arg.type)])]
}

/** The type with the fields that it adds; null if it adds none. */
function withoutKnown(type: GraphQLNamedType, schema: GraphQLSchema): GraphQLNamedType | null {
  const existing = schema.getType(type.name)
  if (existing === undefined) return type
  if (isObjectType(type) && isObjectType(existing)) return typeWith(type, existing, GraphQLObjectType)
  if (isInterfaceType(type) && isInterfaceType(existing)) return typeWith(type, existing, GraphQLInterfaceType)
  if (isInputObjectType(type) && isInputObjectType(existing)) {
    const config = type.toConfig()
    const fields = without(config.fields, existing.getFields())
    return Object.keys(fields).length === 0 ? null : new GraphQLInputObjectType({ ...config, fields })
  }
  return null
}

type Composite = GraphQLObjectType | GraphQLInterfaceType

function typeWith<Type extends Composite>(
  type: Type,
  existing: Composite,
  Class: new (config: ReturnType<Type['toConfig']>) => Type,
): Type | null {
  const config = type.toConfig() as ReturnType<Type['toConfig']>
  const fields = without(config.fields as Record<string, GraphQLFieldConfig<unknown, unknown>>, existing.getFields())
  return Object.keys(fields).length === 0 ? null : new Class({ ...config, interfaces: [], fields })
}

function without<Value>(fields: Readonly<Record<string, Value>>, existing: object): Record<string, Value> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !Object.hasOwn(existing, name)))
}

/** The functions of a type, as a map of resolvers has them. */
function functionsOf(type: GraphQLNamedType): unknown {
  if (isScalarType(type)) return type
  if (isEnumType(type)) return Object.fromEntries(type.getValues().map(one => [one.name, one.value]))
  if (isUnionType(type)) return type.resolveType ? { __resolveType: type.resolveType } : null
  if (!isObjectType(type) && !isInterfaceType(type)) return null
  const functions: Record<string, unknown> = {}
  for (const field of Object.values(type.getFields())) {
    const own = fieldFunctions(field)
    if (own !== null) functions[field.name] = own
  }
  if (isInterfaceType(type) && type.resolveType) functions.__resolveType = type.resolveType
  if (isObjectType(type) && type.isTypeOf) functions.__isTypeOf = type.isTypeOf
  return Object.keys(functions).length === 0 ? null : functions
}

function fieldFunctions({ resolve, subscribe }: GraphQLField<unknown, unknown>): object | null {
  const own = {
    ...(resolve === undefined || resolve === defaultFieldResolver ? {} : { resolve }),
    ...(subscribe === undefined || subscribe === defaultFieldResolver ? {} : { subscribe }),
  }
  return Object.keys(own).length === 0 ? null : own
}
