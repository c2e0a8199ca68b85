// Adds the types and resolvers of extensions to the generated schema (B-9.96). The objects of graphql-js are made anew
// where something changes, and keep what stands in their `extensions`.

import { mergeTypeDefs } from '@graphql-tools/merge'
import { addResolversToSchema } from '@graphql-tools/schema'
import {
  type DefinitionNode,
  type DocumentNode,
  extendSchema,
  GraphQLInterfaceType,
  type GraphQLNamedType,
  GraphQLObjectType,
  type GraphQLSchema,
  isEnumType,
  isInterfaceType,
  isNamedType,
  isObjectType,
  isScalarType,
  Kind,
  parse,
} from 'graphql'
import { meaningOfField } from '../schema/meaning.ts'
import { wrapped } from '../schema/wrapped.ts'
import { type Additions, additionsOf } from './additions.ts'
import { extensionFault, faulting, unknownName } from './fault.ts'
import { isOfNexus, loadNexus, typesOfNexus } from './nexus.ts'
import { type ExtensionParts, mergeDeep, type ResolverMap } from './parts.ts'

/** The schema with what extensions add; `dir` is where nexus is looked for. Throws StartError. */
export function mergeParts(generated: GraphQLSchema, parts: ExtensionParts, dir: string): GraphQLSchema {
  const { definitions, resolvers } = additionsFor(generated, parts, dir)
  const texts = parts.typeDefs.map(text => faulting('typeDefs', () => parse(text, { noLocation: true })))
  const document = documentOf([...texts, { kind: Kind.DOCUMENT, definitions }], generated)
  const extended =
    document.definitions.length === 0 ? generated : faulting('typeDefs', () => extendSchema(generated, document))
  return withResolvers(extended, mergeDeep(resolvers, parts.resolvers))
}

/** Returns the additions of types that are written as code. */
function additionsFor(schema: GraphQLSchema, { types, plugins }: ExtensionParts, dir: string): Additions {
  const ofGraphqlJs: GraphQLNamedType[] = []
  const ofNexus: unknown[] = []
  for (const type of types) {
    if (isNamedType(type)) ofGraphqlJs.push(type)
    else if (isOfNexus(type)) ofNexus.push(type)
    else throw extensionFault(`types: must be types of graphql-js or nexus, found ${String(type)}`)
  }
  const own = additionsOf(ofGraphqlJs, schema)
  if (ofNexus.length === 0 && plugins.length === 0) return own
  const extended = faulting('types', () => withDefinitions(schema, own.definitions))
  const nexusTypes = faulting('types', () => typesOfNexus(loadNexus(dir), ofNexus, { schema: extended, plugins }))
  const more = additionsOf(nexusTypes, extended)
  return {
    definitions: [...own.definitions, ...more.definitions],
    resolvers: mergeDeep(own.resolvers, more.resolvers),
  }
}

/** Types of nexus may refer to those of graphql-js. */
function withDefinitions(schema: GraphQLSchema, definitions: readonly DefinitionNode[]): GraphQLSchema {
  if (definitions.length === 0) return schema
  return extendSchema(schema, documentOf([{ kind: Kind.DOCUMENT, definitions }], schema))
}

/** One document of all definitions, in which types that the schema has already are extended. */
function documentOf(documents: readonly DocumentNode[], schema: GraphQLSchema): DocumentNode {
  const filled = documents.filter(one => one.definitions.length > 0)
  if (filled.length === 0) return { kind: Kind.DOCUMENT, definitions: [] }
  const merged = faulting('typeDefs', () => mergeTypeDefs([...filled], { useSchemaDefinition: false }))
  return {
    kind: Kind.DOCUMENT,
    definitions: merged.definitions.map(one => asExtension(one, schema)),
  }
}

const extensionKinds = {
  [Kind.OBJECT_TYPE_DEFINITION]: Kind.OBJECT_TYPE_EXTENSION,
  [Kind.INTERFACE_TYPE_DEFINITION]: Kind.INTERFACE_TYPE_EXTENSION,
  [Kind.INPUT_OBJECT_TYPE_DEFINITION]: Kind.INPUT_OBJECT_TYPE_EXTENSION,
  [Kind.ENUM_TYPE_DEFINITION]: Kind.ENUM_TYPE_EXTENSION,
  [Kind.UNION_TYPE_DEFINITION]: Kind.UNION_TYPE_EXTENSION,
  [Kind.SCALAR_TYPE_DEFINITION]: Kind.SCALAR_TYPE_EXTENSION,
} as const

function asExtension(node: DefinitionNode, schema: GraphQLSchema): DefinitionNode {
  if (!(node.kind in extensionKinds) || !('name' in node) || node.name === undefined) return node
  if (schema.getType(node.name.value) === undefined) return node
  const { description: _description, ...others } = node as DefinitionNode & { readonly description?: unknown }
  return { ...others, kind: extensionKinds[node.kind as keyof typeof extensionKinds] } as DefinitionNode
}

/** The schema with resolvers, of which those on generated fields are marked. */
function withResolvers(schema: GraphQLSchema, resolvers: ResolverMap): GraphQLSchema {
  if (Object.keys(resolvers).length === 0) return schema
  for (const [name, of] of Object.entries(resolvers)) checkNames(schema, name, of)
  const marked = Object.fromEntries(Object.entries(resolvers).map(([name, of]) => [name, mark(schema, name, of)]))
  return faulting('resolvers', () =>
    addResolversToSchema({ schema, resolvers: marked as Parameters<typeof addResolversToSchema>[0]['resolvers'] }),
  )
}

/** Refuses resolvers of types and fields that do not exist. */
function checkNames(schema: GraphQLSchema, name: string, resolvers: unknown): void {
  const type = schema.getType(name)
  if (type === undefined) throw unknownName('resolvers', 'type', name, Object.keys(schema.getTypeMap()))
  if (isScalarType(type)) return
  if (typeof resolvers !== 'object' || resolvers === null)
    throw extensionFault(`resolvers: ${name}: must be an object, found ${String(resolvers)}`)
  const names = membersOf(type)
  for (const [field, resolver] of Object.entries(resolvers)) {
    if (field.startsWith('__')) continue
    if (!names.includes(field)) throw unknownName(`resolvers: ${name}`, 'field', field, names)
    const isResolver = typeof resolver === 'function' || (typeof resolver === 'object' && resolver !== null)
    if (!isEnumType(type) && !isResolver)
      throw extensionFault(`resolvers: ${name}.${field}: must be a function or { resolve }, found ${String(resolver)}`)
  }
}

function membersOf(type: GraphQLNamedType): string[] {
  if (isEnumType(type)) return type.getValues().map(one => one.name)
  return isObjectType(type) || isInterfaceType(type) ? Object.keys(type.getFields()) : []
}

/** Marks the resolvers of generated fields, which have a meaning that no longer answers them. */
function mark(schema: GraphQLSchema, name: string, resolvers: unknown): unknown {
  const type = schema.getType(name)
  if (!(type instanceof GraphQLObjectType || type instanceof GraphQLInterfaceType)) return resolvers
  const fields = type.getFields()
  return Object.fromEntries(
    Object.entries(resolvers as object).map(([field, resolver]) => {
      const generated = fields[field]
      if (generated === undefined || meaningOfField(generated) === null) return [field, resolver]
      const functions = typeof resolver === 'function' ? { resolve: resolver } : resolver
      return [field, { ...functions, extensions: { ...generated.extensions, ...wrapped } }]
    }),
  )
}
