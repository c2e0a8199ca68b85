// Makes the objects that execution hands from resolver to resolver. They have the forms of v4, which code of extensions
// relies on: an entry has its scalars as properties, a response has the entry as `value`, a list has its entries as
// `nodes`. What only resolvers of generated fields read is below symbols. It knows no resolver.

import type { PageMembers } from '../operation/page.ts'
import type { Inherited } from '../operation/question.ts'

/** The values of an entry's fields that are objects, by their names in the answer. */
export const entryFields = Symbol('plinth.entryFields')
/** The name of the object type. */
export const typeName = Symbol('plinth.typeName')
/** The values of parameters that the nodes below the entry inherit. */
const inheritedParameters = Symbol('plinth.inheritedParameters')
/** The entry as other fields of the operation select it, by their names. */
export const repeatedSelections = Symbol('plinth.repeatedSelections')
/** The pagination of a list. */
export const pagination = Symbol('plinth.pagination')

/** An entry, or what is around entries. A copy that an extension makes by `{ ...source }` keeps what is hidden in it. */
export interface Source {
  readonly id?: number | undefined
  readonly [entryFields]?: EntryFields
  readonly [typeName]?: string
  readonly [inheritedParameters]?: Inherited
  readonly [repeatedSelections]?: ReadonlyMap<string, Source>
  readonly [pagination]?: PageMembers
  readonly [attribute: string]: unknown
}

/** The question that a response answers, as v4 names it to extensions. */
export interface ResponseInfo {
  readonly args: Readonly<Record<string, unknown>>
  readonly resourceUID: string
}

/** The fields of an entry that are objects, by their names in the answer. */
export interface EntryFields {
  /** Its attributes; undefined if this is not their name. */
  part(key: string): Part | typeof attributesOfSameEntry | undefined
  /**
   * A populated attribute, or the error that its field throws; undefined if the field shows another attribute: code may
   * resolve it, or return the entry in another place of the operation.
   */
  branch(key: string, attribute: string): unknown
  /** The name of the type of the attributes, if they are the same object as the entry. */
  readonly joinedType: string | null
}

/** In the place of attributes that are the same object as the entry. */
export const attributesOfSameEntry = Symbol('plinth.attributesOfSameEntry')

/** An object about the same entry as the one that contains it: its attributes. */
export class Part {
  readonly typeName: string
  readonly fields: EntryFields

  constructor(name: string, fields: EntryFields) {
    this.typeName = name
    this.fields = fields
  }
}

/** The content of an entry. Its scalars become the entry: a copy of every entry would cost as much as reading it. */
interface EntryContent {
  readonly scalars: Record<string, unknown>
  readonly fields: EntryFields
  readonly inherited: Inherited | undefined
}

/** Makes an entry, with all scalars that were read. */
export function entrySource(name: string, { scalars, fields, inherited }: EntryContent): Source {
  const source = scalars as Mutable
  source[entryFields] = fields
  source[typeName] = name
  if (inherited !== undefined) source[inheritedParameters] = inherited
  return source
}

/** The content of a response or a list. */
type ResponseContent = { readonly value: Source | null } | { readonly nodes: readonly Source[] }

/** The properties of a response or a list beside its content. */
interface ResponseContext {
  readonly page?: PageMembers | null | undefined
  readonly info?: ResponseInfo | undefined
}

/** Makes a response or a list. */
export function responseSource(name: string, content: ResponseContent, { page, info }: ResponseContext): Source {
  const source = ('nodes' in content ? { nodes: content.nodes } : { value: content.value }) as Mutable
  if (info !== undefined) source.info = info
  source[typeName] = name
  if (page !== undefined && page !== null) source[pagination] = page
  return source
}

type Mutable = { -readonly [Key in keyof Source]: Source[Key] }

/** The first of several objects about one entry, which leads to the others by the names of their fields. */
export function joinedSource(first: Source, more: ReadonlyMap<string, Source>): Source {
  return more.size === 0 ? first : { ...first, [repeatedSelections]: more }
}

/** Returns the parameters that nodes below an entry inherit; empty for entries of extensions. */
export function inheritedBy(source: unknown): Inherited {
  const inherited = typeof source === 'object' && source !== null ? (source as Source)[inheritedParameters] : undefined
  return inherited ?? nothing
}

const nothing: Inherited = new Map()
