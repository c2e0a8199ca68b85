// Declares the options of typed queries: what `fields`, `filters`, `sort` and `populate` may name for one type.

import type { PageOptions } from '../query/options.ts'
import type { ParameterOptions, Under } from '../query/populate-options.ts'
import type { FieldOf, FiltersOf, LinkAt, LinkName, ShapeOf, Side, TargetAt, TargetOf } from './content-types.ts'
import type { ChosenType, Order } from './paths.ts'

/** Paths through one link; longer ones are checked by ExactPaths. */
type SortPath<Uid, Of extends Side> = {
  [Name in LinkName<Uid, Of>]: `${Name}.${FieldOf<TargetAt<Uid, Of, Name>, Of>}${Order}` | `${Name}.${string}.${string}`
}[LinkName<Uid, Of>]

type SortText<Uid, Of extends Side> = `${FieldOf<Uid, Of>}${Order}` | SortPath<Uid, Of>

type Direction = 'asc' | 'desc' | 'ASC' | 'DESC'

/** Sort keys as an object: `{ author: { name: 'asc' } }`. */
type SortRecord<Uid, Of extends Side> = { readonly [Name in FieldOf<Uid, Of>]?: Direction } & {
  readonly [Name in LinkName<Uid, Of>]?: SortRecord<TargetAt<Uid, Of, Name>, Of>
}

export type TypedSort<Uid, Of extends Side> =
  | SortText<Uid, Of>
  | SortRecord<Uid, Of>
  | readonly (SortText<Uid, Of> | SortRecord<Uid, Of>)[]
  | null

export type TypedFields<Uid, Of extends Side> = FieldOf<Uid, Of> | '*' | readonly (FieldOf<Uid, Of> | '*')[] | null

type PopulatePath<Uid, Of extends Side> = {
  [Name in LinkName<Uid, Of>]:
    | Name
    | `${Name}.*`
    | `${Name}.${LinkName<TargetAt<Uid, Of, Name>, Of>}`
    | `${Name}.${string}.${string}`
}[LinkName<Uid, Of>]

/** The parameters of plugins: those of the application's file, and others that plugins declare. */
export interface TypedParameters extends Omit<ParameterOptions, keyof Plinth.Parameters>, Plinth.Parameters {}

/** An object that has other keys than attributes. Exact checks them: their values must be made by `under`. */
type OtherKeys = { readonly [key: string]: unknown }

/** Attributes by name, each with its options; other keys have a value made by `under`. */
export type PopulateRecord<Uid, Of extends Side> = {
  readonly [Name in LinkName<Uid, Of>]?: boolean | '*' | null | LinkOptions<LinkAt<Uid, Of, Name>, Of> | Under
}

export type TypedPopulate<Uid, Of extends Side> =
  | '*'
  | boolean
  | null
  | PopulatePath<Uid, Of>
  | PopulateRecord<Uid, Of>
  | OtherKeys
  | readonly ('*' | PopulatePath<Uid, Of> | PopulateRecord<Uid, Of> | OtherKeys)[]

/** Options for a set of entries of one type. */
export interface TypedSelection<Uid, Of extends Side> extends TypedParameters, ChosenType<Uid, Of> {
  /** Names of attributes; all of them if omitted. */
  readonly fields?: TypedFields<Uid, Of>
  readonly filters?: FiltersOf<Uid, Of>
  /** `title`, `title:desc`, or a list of such keys. */
  readonly sort?: TypedSort<Uid, Of>
  readonly populate?: TypedPopulate<Uid, Of>
}

/** Options for what a link leads to. */
export type LinkOptions<L, Of extends Side> = L extends { readonly any: unknown } | { readonly empty: unknown }
  ? AnyLinkOptions<Of>
  : TypedSelection<TargetOf<L>, Of> & {
      readonly on?: { readonly [Uid in TargetOf<L> & string]?: boolean | TypedSelection<Uid, Of> }
      /** The number of linked entries instead of the entries. */
      readonly count?: boolean
      /** Offset in the list of entries of each parent. */
      readonly start?: number
      /** Maximum number of entries of each parent. */
      readonly limit?: number
      /** `desc` reverses the stored order. */
      readonly ordering?: Direction
    }

/** Options of a polymorphic relation, whose entries may be of every type. */
interface AnyLinkOptions<Of extends Side> extends TypedParameters {
  readonly populate?: '*' | boolean
  readonly on?: { readonly [Uid in keyof Plinth.ContentTypes]?: boolean | TypedSelection<Uid, Of> }
  readonly count?: boolean
  readonly start?: number
  readonly limit?: number
  readonly ordering?: Direction
}

/** Options of `findMany`, `findPage` and `count`. */
export interface TypedFindOptions<Uid, Of extends Side> extends TypedSelection<Uid, Of> {
  readonly pagination?: PageOptions
  readonly _q?: string | number
}

/** Options of `findOne` and `delete`, and of the entry that a write answers. */
export interface TypedFindOneOptions<Uid, Of extends Side> extends TypedParameters, ChosenType<Uid, Of> {
  readonly fields?: TypedFields<Uid, Of>
  readonly populate?: TypedPopulate<Uid, Of>
}

/** Options of `create`. */
export interface TypedCreateOptions<Uid, Of extends Side> extends TypedFindOneOptions<Uid, Of> {
  readonly data: ShapeOf<Uid> extends { readonly create: infer Data } ? Data : never
}

/** Options of `update`. */
export interface TypedUpdateOptions<Uid, Of extends Side> extends TypedFindOneOptions<Uid, Of> {
  readonly data: ShapeOf<Uid> extends { readonly update: infer Data } ? Data : never
}
