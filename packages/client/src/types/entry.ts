// Computes the type of an entry from the options with which it was requested, in both forms of answers.

import type { AnswerForm, LinksOf, UntypedEntry, ValuesOf } from './content.ts'
import type { Shown } from './unions.ts'

type OptionOf<Options, Name extends string> = Options extends { readonly [Key in Name]: infer Value }
  ? Value
  : undefined

/** The values that `fields` chooses. Names that are known only at run time make each of them uncertain. */
type Chosen<Values, Fields> = [Fields] extends [null | undefined]
  ? Values
  : Fields extends readonly (infer Name)[]
    ? ChosenNames<Values, Name>
    : ChosenNames<Values, Fields>

type ChosenNames<Values, Name> = '*' extends Name
  ? string extends Name
    ? Partial<Values>
    : Values
  : Pick<Values, Extract<Name | 'id', keyof Values>>

/** The first name of each path, and the rest of the paths that begin with a name. */
type HeadOf<Path> = Path extends `${infer Head}.${string}` ? Head : Path
type RestOf<Path, Head extends string> = Path extends `${Head}.${infer Rest}` ? Rest : never

type ByPaths<Uid, Form extends AnswerForm, Path> = {
  [Name in keyof LinksOf<Uid> as '*' extends Path ? Name : Extract<Name, HeadOf<Path>>]: Linked<
    LinksOf<Uid>[Name],
    Form,
    [RestOf<Path, Name & string>] extends [never] ? unknown : { populate: readonly RestOf<Path, Name & string>[] }
  >
}

type ByRecord<Uid, Form extends AnswerForm, Populates> = {
  [Name in keyof Populates as Populates[Name] extends false | null | undefined
    ? never
    : Name]: Name extends keyof LinksOf<Uid>
    ? Linked<LinksOf<Uid>[Name], Form, Populates[Name] extends object ? Populates[Name] : unknown>
    : never
}

type Populated<Uid, Form extends AnswerForm, Populate> = [Populate] extends [null | undefined | false]
  ? unknown
  : [Populate] extends [true]
    ? ByPaths<Uid, Form, '*'>
    : string extends Populate
      ? { [Name in keyof LinksOf<Uid>]?: unknown }
      : [Populate] extends [string]
        ? ByPaths<Uid, Form, Populate>
        : Populate extends readonly (infer Path)[]
          ? ByPaths<Uid, Form, Path>
          : ByRecord<Uid, Form, Populate>

/** A value, wrapped in `data` in v4's form. */
type Wrapped<Form extends AnswerForm, Value> = Form extends 'flat' ? Value : { data: Value }

/** The value of a populated attribute. */
type Linked<Link, Form extends AnswerForm, Options> = Options extends { readonly count: true }
  ? Form extends 'flat'
    ? { count: number }
    : { data: { attributes: { count: number } } }
  : Link extends { readonly one: infer Uid }
    ? Uid extends keyof Plinth.Components
      ? Body<Uid, Form, Options> | null
      : Wrapped<Form, TypedEntry<Uid, Form, Options> | null>
    : Link extends { readonly many: infer Uid }
      ? Uid extends keyof Plinth.Components
        ? Body<Uid, Form, Options>[]
        : Wrapped<Form, TypedEntry<Uid, Form, Options>[] | NoneOf<Link>>
      : Link extends { readonly zone: infer Uid }
        ? ZoneMember<Uid, Form, Options>[]
        : Link extends { readonly any: infer Number }
          ? Number extends 'one'
            ? AnyMember | null
            : AnyMember[]
          : Wrapped<Form, Link extends { readonly empty: 'many' } ? never[] | null : null>

/** The value, other than an empty list, that a relation without entries may have. */
type NoneOf<Link> = Link extends { readonly orNull: true } ? null : never

type ZoneMember<Uid, Form extends AnswerForm, Options> = Uid extends unknown
  ? Options extends { readonly on: infer On }
    ? Uid extends keyof On
      ? Shown<{ __component: Uid } & Body<Uid, Form, On[Uid]>>
      : never
    : Shown<{ __component: Uid } & Body<Uid, Form, Options>>
  : never

/** An entry of a polymorphic relation. */
type AnyMember = { id: number; __type: string } & Record<string, unknown>

/** The values and links that the options choose, beside each other: those of components and of flat entries. */
type Body<Uid, Form extends AnswerForm, Options> = Shown<
  Chosen<ValuesOf<Uid>, OptionOf<Options, 'fields'>> & Populated<Uid, Form, OptionOf<Options, 'populate'>>
>

/** An entry in v4's form. */
export interface V4Entry<Attributes> {
  id: number
  attributes: Attributes
  /** Values that plugins add to an entry, such as `availableLocales`. */
  meta?: Record<string, unknown>
}

/** An entry of a type with the values and links that the options choose. */
export type TypedEntry<Uid, Form extends AnswerForm, Options> = Form extends 'flat'
  ? Body<Uid, Form, Options>
  : V4Entry<WithoutId<Body<Uid, Form, Options>>>

type WithoutId<Values> = { [Key in keyof Values as Exclude<Key, 'id'>]: Values[Key] }

/** An entry of a type that is not known to the compiler. */
export type UntypedOf<Form extends AnswerForm> = Form extends 'flat' ? UntypedEntry : V4Entry<Record<string, unknown>>

/** `meta.pagination` of a list: by pages, or by offset; counts may be left out if `withCount` is sent. */
export type PageOf<Options> =
  OptionOf<Options, 'pagination'> extends infer Page
    ? Page extends { readonly start: unknown } | { readonly limit: unknown }
      ? { start: number; limit: number } & CountOf<Page, { total: number }>
      : { page: number; pageSize: number } & CountOf<Page, { pageCount: number; total: number }>
    : never

type CountOf<Page, Counts> = Page extends { readonly withCount: false | boolean }
  ? Page extends { readonly withCount: true }
    ? Counts
    : Partial<Counts>
  : Counts
