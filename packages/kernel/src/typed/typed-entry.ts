// Computes the type of an entry from the options with which it was requested.

import type { PopulateOptions, Under } from '../query/populate-options.ts'
import type { LinksOf, Side, ValuesOf } from './content-types.ts'

/** An object type whose members are shown one by one. */
type Flat<T> = { [Key in keyof T]: T[Key] } & {}

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

type ByPaths<Uid, Of extends Side, Path> = {
  [Name in keyof LinksOf<Uid, Of> as '*' extends Path ? Name : Extract<Name, HeadOf<Path>>]: Linked<
    LinksOf<Uid, Of>[Name],
    Of,
    [RestOf<Path, Name & string>] extends [never] ? unknown : { populate: readonly RestOf<Path, Name & string>[] }
  >
}

/** The entries below the keys of an object: each key names an attribute, or `under` does. */
type ByRecord<Uid, Of extends Side, Populates> = {
  [Key in keyof Populates as Populates[Key] extends false | null | undefined
    ? never
    : Key]: Populates[Key] extends Under<infer Name, infer Options>
    ? LinkedByName<Uid, Of, Name, Options>
    : LinkedByName<Uid, Of, Key, Populates[Key] extends object ? Populates[Key] : unknown>
}

type LinkedByName<Uid, Of extends Side, Name, Options> = Name extends keyof LinksOf<Uid, Of>
  ? Linked<LinksOf<Uid, Of>[Name], Of, Options>
  : never

type Populated<Uid, Of extends Side, Populate> = [Populate] extends [null | undefined | false]
  ? unknown
  : [Populate] extends [true]
    ? ByPaths<Uid, Of, '*'>
    : string extends Populate
      ? { [Name in keyof LinksOf<Uid, Of>]?: unknown }
      : [Populate] extends [string]
        ? ByPaths<Uid, Of, Populate>
        : Populate extends readonly (infer Item)[]
          ? ByPaths<Uid, Of, Extract<Item, string>> & MergedRecords<Uid, Of, Exclude<Item, string>>
          : ByRecord<Uid, Of, Populate>

/** The intersection of what the objects of a list populate. */
type MergedRecords<Uid, Of extends Side, Item> = [Item] extends [never]
  ? unknown
  : (Item extends unknown ? (item: ByRecord<Uid, Of, Item>) => void : never) extends (item: infer All) => void
    ? All
    : never

/** The value of a populated attribute. */
type Linked<L, Of extends Side, Options> = Options extends { readonly count: true }
  ? { count: number }
  : L extends { readonly one: infer Uid }
    ? TypedEntry<Uid, Of, Options> | null
    : L extends { readonly many: infer Uid }
      ? TypedEntry<Uid, Of, Options>[]
      : L extends { readonly zone: infer Uid }
        ? ZoneMember<Uid, Of, Options>[]
        : L extends { readonly any: infer Number }
          ? Number extends 'one'
            ? AnyMember | null
            : AnyMember[]
          : L extends { readonly empty: 'many' }
            ? never[]
            : null

type ZoneMember<Uid, Of extends Side, Options> = Uid extends unknown
  ? Options extends { readonly on: infer On }
    ? Uid extends keyof On
      ? Flat<{ __component: Uid } & TypedEntry<Uid, Of, On[Uid]>>
      : never
    : Flat<{ __component: Uid } & TypedEntry<Uid, Of, Options>>
  : never

/** An entry of a polymorphic relation. */
type AnyMember = { id: number; __type: string } & Record<string, unknown>

/** An entry of a type with the values and links that the options choose. */
export type TypedEntry<Uid, Of extends Side, Options> = Flat<
  Chosen<ValuesOf<Uid, Of>, OptionOf<Options, 'fields'>> &
    Populated<
      Uid,
      Of,
      OptionOf<Options, 'populate'> extends PopulateOptions['populate'] ? OptionOf<Options, 'populate'> : never
    >
>
