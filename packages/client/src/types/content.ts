// Declares where the types of an application are merged: `plinth types` writes a file with one member per content type,
// component and parameter. Without it the client is untyped. Knows what callers are answered, and no private attribute.

import type { KeysOf } from './unions.ts'

declare global {
  /** The types of the application's content, which `plinth types` writes. */
  namespace Plinth {
    /** The content types by uid. */
    interface ContentTypes {}
    /** The components by uid. */
    interface Components {}
    /** The query parameters of the plugins. */
    interface Parameters {}
  }
}

/** The form of answers: v4's, with `attributes` and `data` at each relation, or flat. */
export type AnswerForm = 'v4' | 'flat'

type ContentTypeUid = keyof Plinth.ContentTypes & string
type ApiUid = Extract<ContentTypeUid, `api::${string}`>
type Shapes = Plinth.ContentTypes & Plinth.Components

/** A member of the shape of a type; of several types, that of each. */
export type MemberOf<Uid, Name extends string> = Uid extends keyof Shapes
  ? Shapes[Uid] extends { readonly [Key in Name]: infer Member }
    ? Member
    : never
  : never

type UidsBy<Kind extends string, Name extends string> = {
  [Uid in ApiUid as MemberOf<Uid, 'kind'> extends Kind ? MemberOf<Uid, Name> & string : never]: Uid
}

/** The uids of collection types by the names in their paths, such as `articles`. */
export type CollectionUids = UidsBy<'collectionType', 'pluralName'>
/** The uids of single types by the names in their paths, such as `homepage`. */
export type SingleUids = UidsBy<'singleType', 'singularName'>

/**
 * A name that the written types do not have. Other literals are refused if there is such a file, and texts that are known
 * at run time only are not.
 */
export type OtherName<Name extends string> = [ContentTypeUid] extends [never]
  ? Name
  : Record<never, never> extends Record<Name, unknown>
    ? Name
    : `there is no type ${Name}`

/** The attributes with a value of their own; the id included. */
export type ValuesOf<Uid> = MemberOf<Uid, 'values'>
/** The attributes that can be populated, by name. */
export type LinksOf<Uid> = MemberOf<Uid, 'links'>
/** The names of the attributes with a value; of several types, all of their names. */
export type FieldOf<Uid> = KeysOf<ValuesOf<Uid>> & string
/** The names of the attributes that can be populated; of several types, all of their names. */
export type LinkName<Uid> = KeysOf<LinksOf<Uid>> & string

/** The link of this name; of several types, that of each type that has one. */
export type LinkAt<Uid, Name> = Uid extends unknown
  ? Name extends keyof LinksOf<Uid>
    ? LinksOf<Uid>[Name]
    : never
  : never

/** The uids that a link leads to, in a union. */
export type TargetOf<Link> = Link extends { readonly one: infer Uid }
  ? Uid
  : Link extends { readonly many: infer Uid }
    ? Uid
    : Link extends { readonly zone: infer Uid }
      ? Uid
      : never

/** The uids that the links of this name lead to, in a union. */
export type TargetAt<Uid, Name> = TargetOf<LinkAt<Uid, Name>>

/** The values of a type of a plugin, as far as the written types have it. */
export type PluginEntry<Uid extends string> = Uid extends ContentTypeUid ? ValuesOf<Uid> : UntypedEntry

/** An entry of a type that is not known to the compiler. */
export type UntypedEntry = { id: number } & Record<string, unknown>
