// The objects that execution hands from resolver to resolver, and the resolvers of generated fields. They have the forms
// of v4, which code of extensions relies on: an entry has its scalars as properties, a response has the entry as `value`,
// a list has its entries as `nodes`. Extensions may return the same forms, entries of `kernel.query`, or plain objects in
// the form of the answer.

import {
  getNamedType,
  type GraphQLFieldResolver,
  type GraphQLTypeResolver,
  isAbstractType,
  isObjectType,
} from 'graphql'
import type { PageMembers } from '../answer/writer.ts'
import type { Inherited } from '../operation/question.ts'
import { meaningOfType } from '../schema/meaning.ts'
import type { GraphqlContext } from './context.ts'

/** The values of an entry's fields that are objects, by their names in the answer. */
const shown = Symbol('plinth.shown')
/** The name of the object type. */
const named = Symbol('plinth.type')
/** The values of parameters that hold for the entry. */
const holding = Symbol('plinth.parameters')
/** The entry as other fields of the operation show it, by their names. */
const others = Symbol('plinth.others')
/** The pagination of a list. */
const paged = Symbol('plinth.page')

/** An entry, or what is around entries. A copy that an extension makes by `{ ...source }` keeps what is hidden in it. */
export interface Source {
  readonly id?: number | undefined
  readonly [shown]?: Values
  readonly [named]?: string
  readonly [holding]?: Inherited
  readonly [others]?: ReadonlyMap<string, Source>
  readonly [paged]?: PageMembers
  readonly [attribute: string]: unknown
}

/** Which question a response answers, as v4 names it to extensions. */
export interface ResponseInfo {
  readonly args: Readonly<Record<string, unknown>>
  readonly resourceUID: string
}

/** The fields of an entry that are objects, by their names in the answer. */
export interface Values {
  /** Its attributes; undefined if this is not their name. */
  part(key: string): Part | typeof sameEntry | undefined
  /**
   * A populated attribute, or the error that its field throws; undefined if the field shows another attribute: code may
   * resolve it, or return the entry in another place of the operation.
   */
  branch(key: string, attribute: string): unknown
  /** The name of the type of the attributes, if they are the same object as the entry. */
  readonly joinedType: string | null
}

/** In the place of attributes that are the same object as the entry. */
export const sameEntry = Symbol('plinth.same')

/** An object about the same entry as the one that contains it: its attributes. */
export class Part {
  readonly typeName: string
  readonly values: Values

  constructor(typeName: string, values: Values) {
    this.typeName = typeName
    this.values = values
  }
}

/** What an entry is made from. Its scalars become the entry: a copy of every entry would cost as much as reading it. */
interface EntryContent {
  readonly scalars: Record<string, unknown>
  readonly values: Values
  readonly inherited: Inherited | undefined
}

/** Makes an entry, with all scalars that were read. */
export function entrySource(typeName: string, { scalars, values, inherited }: EntryContent): Source {
  const source = scalars as Mutable
  source[shown] = values
  source[named] = typeName
  if (inherited !== undefined) source[holding] = inherited
  return source
}

/** What a response or a list contains. */
type ResponseContent = { readonly value: Source | null } | { readonly nodes: readonly Source[] }

/** What is known about a response or a list beside its content. */
interface ResponseContext {
  readonly page?: PageMembers | null | undefined
  readonly info?: ResponseInfo | undefined
}

/** Makes a response or a list. */
export function responseSource(typeName: string, content: ResponseContent, { page, info }: ResponseContext): Source {
  const source = ('nodes' in content ? { nodes: content.nodes } : { value: content.value }) as Mutable
  if (info !== undefined) source.info = info
  source[named] = typeName
  if (page !== undefined && page !== null) source[paged] = page
  return source
}

type Mutable = { -readonly [Key in keyof Source]: Source[Key] }

/** The first of several objects about one entry, which leads to the others by the names of their fields. */
export function joinedSource(first: Source, more: ReadonlyMap<string, Source>): Source {
  return more.size === 0 ? first : { ...first, [others]: more }
}

/** What holds for an entry; empty for those of extensions. */
export function inheritedBy(source: unknown): Inherited {
  return (isObject(source) ? (source as Source)[holding] : undefined) ?? nothing
}

const nothing: Inherited = new Map()

type Resolver = GraphQLFieldResolver<unknown, unknown>

/** The resolver of generated fields of the roots. */
export const rootValue: Resolver = (_source, args, context, info) =>
  (context as GraphqlContext).run.resolveRoot(args as Readonly<Record<string, unknown>>, info)

/** The resolver of `data`: the entry, or the entries. */
export const dataValue: Resolver = (source, _args, _context, info) => {
  const key = String(info.path.key)
  const content = contentOf(source)
  return Array.isArray(content) ? content.map(one => asShownBy(key, one)) : asShownBy(key, content)
}

/** What a response or a list contains. */
function contentOf(source: unknown): unknown {
  if (!isObject(source) || Array.isArray(source)) return source ?? null
  if (shown in source || ('id' in source && !(named in source))) return source
  return source.nodes ?? source.value ?? source.data ?? null
}

/** The entry as the field with this name shows it; what an extension has changed in it stays changed. */
function asShownBy(key: string, entry: unknown): unknown {
  const other = isObject(entry) ? (entry as Source)[others]?.get(key) : undefined
  return other === undefined ? entry : Object.assign({ ...other }, Object.fromEntries(Object.entries(entry as object)))
}

/** The resolver of `attributes`. */
export const attributesValue: Resolver = (source, _args, _context, info) => {
  if (!isObject(source)) return source
  const part = (source as Source)[shown]?.part(String(info.path.key))
  if (part === sameEntry) return source
  if (part instanceof Part) return { ...source, [shown]: part.values, [named]: part.typeName }
  const { attributes } = source
  const type = getNamedType(info.returnType)
  const isAttribute = isObjectType(type) && type.getFields().attributes !== undefined
  if (named in source || isAttribute || !isObject(attributes)) return source
  return { id: source.id, ...attributes }
}

/** The resolver of `meta`. */
export const metaValue: Resolver = (source, _args, context, _info) => {
  if (!isObject(source)) return null
  const page = (source as Source)[paged]
  if (page !== undefined) return { pagination: page }
  return source.meta ?? (context as GraphqlContext).run.metaOf(source.info, contentOf(source))
}

/** The resolver of relations, components and dynamic zones. */
export const branchValue: Resolver = (source, args, context, info) => {
  if (!isObject(source)) return null
  const value = (source as Source)[shown]?.branch(String(info.path.key), info.fieldName)
  if (value instanceof Error) throw value
  if (value !== undefined) return value
  const { run } = context as GraphqlContext
  const known = source[info.fieldName]
  const given = args as Readonly<Record<string, unknown>>
  return known === undefined ? run.load(source, given, info) : run.adopt(known, given, info)
}

/**
 * The type of a member of a union. Entries of `kernel.query` name the uid of their type. The fourth argument is not used:
 * compiled functions pass none.
 */
export const typeOfMember: GraphQLTypeResolver<unknown, unknown> = (value, _context, { schema, returnType }) => {
  if (!isObject(value)) return undefined
  const { [named]: name, [shown]: parts } = value as Source
  const type = getNamedType(returnType)
  const possible = isAbstractType(type) ? schema.getPossibleTypes(type) : []
  const joined = parts?.joinedType ?? null
  if (joined !== null && possible.some(one => one.name === joined)) return joined
  if (name !== undefined) return name
  const uid = value.__component ?? value.__type
  const found = possible.find(one => {
    const meaning = meaningOfType(one)
    return meaning?.kind === 'attributes' && meaning.type.uid === uid
  })
  return found?.name ?? (typeof value.__typename === 'string' ? value.__typename : undefined)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
