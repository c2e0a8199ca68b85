// Declares the options of requests: what `fields`, `filters`, `sort`, `populate` and `pagination` may name for one type.

import type { FieldOf, LinkAt, LinkName, MemberOf, TargetAt, TargetOf } from './content.ts'
import type { ChosenType, Order } from './paths.ts'

type Direction = 'asc' | 'desc'

/** Paths through one link; longer ones are checked by ExactPaths. */
type SortPath<Uid> = {
  [Name in LinkName<Uid>]: `${Name}.${FieldOf<TargetAt<Uid, Name>>}${Order}` | `${Name}.${string}.${string}`
}[LinkName<Uid>]

type SortText<Uid> = `${FieldOf<Uid>}${Order}` | SortPath<Uid>

/** Sort keys as an object: `{ author: { name: 'asc' } }`. */
type SortRecord<Uid> = { readonly [Name in FieldOf<Uid>]?: Direction } & {
  readonly [Name in LinkName<Uid>]?: SortRecord<TargetAt<Uid, Name>>
}

type Sort<Uid> = SortText<Uid> | SortRecord<Uid> | readonly SortText<Uid>[] | null

type Fields<Uid> = FieldOf<Uid> | '*' | readonly (FieldOf<Uid> | '*')[] | null

type PopulatePath<Uid> = {
  [Name in LinkName<Uid>]:
    | Name
    | `${Name}.*`
    | `${Name}.${LinkName<TargetAt<Uid, Name>>}`
    | `${Name}.${string}.${string}`
}[LinkName<Uid>]

/** Attributes by name, each with its options. */
type PopulateRecord<Uid> = {
  readonly [Name in LinkName<Uid>]?: boolean | null | LinkOptions<LinkAt<Uid, Name>>
}

/** The attributes to populate: `*`, names, paths, or options by name. */
export type Populate<Uid> =
  | '*'
  | boolean
  | null
  | PopulatePath<Uid>
  | readonly ('*' | PopulatePath<Uid>)[]
  | PopulateRecord<Uid>

/** Options of one entry: of `findOne` and `delete`, and of the entry that a write answers. */
export interface EntryOptions<Uid> extends Plinth.Parameters, ChosenType<Uid> {
  /** Names of attributes; all of them if omitted. */
  readonly fields?: Fields<Uid>
  readonly populate?: Populate<Uid>
}

/** Options for a set of entries of one type. */
interface Selection<Uid> extends EntryOptions<Uid> {
  readonly filters?: MemberOf<Uid, 'filters'>
  /** `title`, `title:desc`, or a list of such keys. */
  readonly sort?: Sort<Uid>
}

interface Part {
  /** The number of linked entries instead of the entries. */
  readonly count?: boolean
  /** Offset in the list of entries of each parent. */
  readonly start?: number
  /** Maximum number of entries of each parent. */
  readonly limit?: number
  /** `desc` reverses the stored order. */
  readonly ordering?: Direction
}

/** Options for what a link leads to. */
type LinkOptions<Link> = Link extends { readonly any: unknown } | { readonly empty: unknown }
  ? Part &
      Plinth.Parameters & {
        readonly populate?: '*' | boolean
        readonly on?: { readonly [Uid in keyof Plinth.ContentTypes]?: boolean | Selection<Uid> }
      }
  : Part &
      Selection<TargetOf<Link>> & {
        readonly on?: { readonly [Uid in TargetOf<Link> & string]?: boolean | Selection<Uid> }
      }

/** A page: `page` and `pageSize`, or `start` and `limit`. */
export interface PageOptions {
  readonly page?: number
  readonly pageSize?: number
  readonly start?: number
  readonly limit?: number
  /** True if `total` is counted, which is the default. */
  readonly withCount?: boolean
}

/** Options of all entries of a list. */
export interface AllOptions<Uid> extends Selection<Uid> {
  /** Text to search for in all attributes that hold text. */
  readonly _q?: string
  /** Entries per request, 100 by default. */
  readonly pageSize?: number
}

/** Options of a list. */
export interface FindOptions<Uid> extends Selection<Uid> {
  readonly pagination?: PageOptions
  /** Text to search for in all attributes that hold text. */
  readonly _q?: string
}

/** Options of types that are not known to the compiler. */
export interface UntypedOptions {
  readonly fields?: unknown
  readonly filters?: object
  readonly sort?: unknown
  readonly populate?: unknown
  readonly pagination?: PageOptions
  readonly _q?: string
  readonly pageSize?: number
  readonly [parameter: string]: unknown
}
