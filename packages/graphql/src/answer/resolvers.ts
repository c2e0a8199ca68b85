// The resolvers of generated fields. They read the objects of source.ts, and also what extensions return in their place:
// the same forms, entries of `kernel.query`, or plain objects in the form of the answer. What an object does not have is
// asked of the operation that runs, of which no more is known than `Resolution`.

import {
  defaultFieldResolver,
  type GraphQLFieldResolver,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type GraphQLTypeResolver,
  getNamedType,
  isAbstractType,
  isIntrospectionType,
  isObjectType,
} from 'graphql'
import { type FieldMeaning, meaningOfField, meaningOfType } from '../schema/meaning.ts'
import { isOwnLeaf } from '../schema/own-leaf.ts'
import { isChecked } from '../schema/wrapped.ts'
import type { OwnFields } from './own-fields.ts'
import {
  attributesOfSameEntry,
  entryFields,
  Part,
  pagination,
  repeatedSelections,
  type Source,
  typeName,
} from './source.ts'

type Arguments = Readonly<Record<string, unknown>>

/** Answers what resolvers cannot read from their objects. The run of an operation implements it. */
export interface Resolution {
  /** The object of a field of the root. */
  resolveRoot(args: Arguments, info: GraphQLResolveInfo): Promise<unknown>
  /** The value of a relation, component or zone that was not part of the question for its entry. */
  load(source: Arguments, args: Arguments, info: GraphQLResolveInfo): unknown
  /** A relation, component or zone that an extension has put into an entry, in the form that resolvers expect. */
  adopt(value: unknown, args: Arguments, info: GraphQLResolveInfo): unknown
  /** The `meta` of a list that an extension has made. */
  metaOf(info: unknown, entries: unknown): Promise<object>
  /** The own fields that were called before execution; null if none were. */
  readonly ownFields: Pick<OwnFields, 'find'> | null
  /** Returns whether a field of the root has run before execution. */
  hasRun(key: string): boolean
}

/** The part of the context of resolvers that is read here. */
interface ResolverContext {
  readonly run: Resolution
}

type Resolver = GraphQLFieldResolver<unknown, unknown>

/** Gives the fields and unions of a generated schema their resolvers, in place, before extensions change it. */
export function attachResolvers(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (isIntrospectionType(type)) continue
    if (isAbstractType(type)) type.resolveType = typeOfMember
    if (!isObjectType(type)) continue
    for (const field of Object.values(type.getFields())) {
      const meaning = meaningOfField(field)
      const resolver = meaning === null ? undefined : resolvers[meaning.kind]
      if (resolver !== undefined) field.resolve = resolver
    }
  }
}

/** Lets code that has run before execution not run again. Called when all code is in the schema. */
export function attachOnce(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || isIntrospectionType(type)) continue
    for (const field of Object.values(type.getFields())) {
      if (isOwnLeaf(type, field)) field.resolve = onceValue(field.resolve ?? defaultFieldResolver)
      else if (isChecked(field)) field.resolve = onceChecked(field.resolve!)
    }
  }
}

/** A field of the root that was checked, and has run, is not checked again. */
function onceChecked(resolve: Resolver): Resolver {
  return (source, args, context, info) => {
    const hasRun = (context as ResolverContext).run.hasRun(String(info.path.key))
    return (hasRun ? rootValue : resolve)(source, args, context, info)
  }
}

function onceValue(resolve: Resolver): Resolver {
  return (source, args, context, info) => {
    const called = (context as ResolverContext).run.ownFields?.find(info.path)
    return called === undefined ? resolve(source, args, context, info) : called.value
  }
}

const rootValue: Resolver = (_source, args, context, info) =>
  (context as ResolverContext).run.resolveRoot(args as Arguments, info)

/** The entry of a response, or the entries of a list. */
const dataValue: Resolver = (source, _args, _context, info) => {
  const key = String(info.path.key)
  const content = contentOf(source)
  return Array.isArray(content) ? content.map(one => asSelectedBy(key, one)) : asSelectedBy(key, content)
}

/** Returns the content of a response or a list. */
function contentOf(source: unknown): unknown {
  if (!isObjectOrList(source) || Array.isArray(source)) return source ?? null
  if (entryFields in source || ('id' in source && !(typeName in source))) return source
  return source.nodes ?? source.value ?? source.data ?? null
}

/** The entry as the field with this name selects it; what an extension has changed in it stays changed. */
function asSelectedBy(key: string, entry: unknown): unknown {
  const other = isObjectOrList(entry) ? (entry as Source)[repeatedSelections]?.get(key) : undefined
  return other === undefined ? entry : Object.assign({ ...other }, Object.fromEntries(Object.entries(entry as object)))
}

const attributesValue: Resolver = (source, _args, _context, info) => {
  if (!isObjectOrList(source)) return source
  const part = (source as Source)[entryFields]?.part(String(info.path.key))
  if (part === attributesOfSameEntry) return source
  if (part instanceof Part) return { ...source, [entryFields]: part.fields, [typeName]: part.typeName }
  const { attributes } = source
  const type = getNamedType(info.returnType)
  const isAttribute = isObjectType(type) && type.getFields().attributes !== undefined
  if (typeName in source || isAttribute || !isObjectOrList(attributes)) return source
  return { id: source.id, ...attributes }
}

const metaValue: Resolver = (source, _args, context, _info) => {
  if (!isObjectOrList(source)) return null
  const page = (source as Source)[pagination]
  if (page !== undefined) return { pagination: page }
  return source.meta ?? (context as ResolverContext).run.metaOf(source.info, contentOf(source))
}

/** A relation, a component or a dynamic zone. */
const branchValue: Resolver = (source, args, context, info) => {
  if (!isObjectOrList(source)) return null
  const value = (source as Source)[entryFields]?.branch(String(info.path.key), info.fieldName)
  if (value instanceof Error) throw value
  if (value !== undefined) return value
  const { run } = context as ResolverContext
  const property = source[info.fieldName]
  const values = args as Arguments
  return property === undefined ? run.load(source, values, info) : run.adopt(property, values, info)
}

/** Fields of other kinds are plain properties, so that extensions may hand over objects of their own. */
const resolvers: { readonly [kind in FieldMeaning['kind']]?: Resolver } = {
  root: rootValue,
  data: dataValue,
  attributes: attributesValue,
  meta: metaValue,
  branch: branchValue,
}

/** The type of a member of a union. Entries of `kernel.query` name the uid of their type. */
const typeOfMember: GraphQLTypeResolver<unknown, unknown> = (value, _context, { schema, returnType }) => {
  if (!isObjectOrList(value)) return undefined
  const { [typeName]: name, [entryFields]: fields } = value as Source
  const type = getNamedType(returnType)
  const possible = isAbstractType(type) ? schema.getPossibleTypes(type) : []
  const joined = fields?.joinedType ?? null
  if (joined !== null && possible.some(one => one.name === joined)) return joined
  if (name !== undefined) return name
  const uid = value.__component ?? value.__type
  const match = possible.find(one => {
    const meaning = meaningOfType(one)
    return meaning?.kind === 'attributes' && meaning.type.uid === uid
  })
  return match?.name ?? (typeof value.__typename === 'string' ? value.__typename : undefined)
}

function isObjectOrList(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
