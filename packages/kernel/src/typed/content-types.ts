// Declares where the types of an application are merged: `plinth types` writes a file that adds one member per content type,
// component, parameter and plugin to the interfaces below. They are global, so that the file imports nothing and is of use to
// front ends, too. Without such a file every query is untyped.

import type { KeysOf } from './unions.ts'

declare global {
  /** The types of the application's content, which `plinth types` writes. */
  namespace Plinth {
    /** The content types by uid, each a TypeShape. */
    interface ContentTypes {}
    /** The components by uid, each a TypeShape. */
    interface Components {}
    /** The query parameters of the plugins. */
    interface Parameters {}
    /** The settings of the plugins of the application, by their names in config/plugins. */
    interface PluginSettings {}
  }
}

/** A member of `Plinth.ContentTypes` or `Plinth.Components`. */
export interface TypeShape {
  /** The attributes with a value of their own, as answered to callers; the id included. */
  readonly values: object
  /** The private ones among them, which only queries with all rights answer. */
  readonly privateValues: object
  /** The attributes that `populate` reaches, and the private ones among them: a Link by name. */
  readonly links: object
  readonly privateLinks: object
  /** The `data` of `create` and `update`. */
  readonly create: unknown
  readonly update: unknown
  /** The filters of callers, and those of queries with all rights. */
  readonly filters: object
  readonly privateFilters: object
}

/** An attribute that leads to other entries or to components: one of these forms. */
export type Link =
  | { readonly one: string }
  | { readonly many: string }
  | { readonly zone: string }
  /** Polymorphic: entries of any type. */
  | { readonly any: 'one' | 'many' }
  /** An attribute whose type or target is missing: it is always empty. */
  | { readonly empty: 'one' | 'many' }

/** The uid of a content type of the application; `never` if there is no written file. */
export type ContentTypeUid = keyof Plinth.ContentTypes & string

type Shapes = Plinth.ContentTypes & Plinth.Components

/** The shape of a content type or component. */
export type ShapeOf<Uid> = Uid extends keyof Shapes ? Shapes[Uid] : never

/** The rights of a query: `all` has all rights and sees private attributes, `caller` has those of a caller. */
export type Side = 'all' | 'caller'

/** The values of a type, by name; of several types, those of each. */
export type ValuesOf<Uid, Of extends Side> = Uid extends unknown
  ? ShapeOf<Uid> extends { readonly values: infer Values; readonly privateValues: infer Private }
    ? Of extends 'all'
      ? Values & Private
      : Values
    : never
  : never

/** The links of a type, by name; of several types, those of each. */
export type LinksOf<Uid, Of extends Side> = Uid extends unknown
  ? ShapeOf<Uid> extends { readonly links: infer Links; readonly privateLinks: infer Private }
    ? Of extends 'all'
      ? Links & Private
      : Links
    : never
  : never

/** The filters of a type. */
export type FiltersOf<Uid, Of extends Side> = Uid extends unknown
  ? ShapeOf<Uid> extends { readonly filters: infer Filters; readonly privateFilters: infer Private }
    ? Of extends 'all'
      ? Private | Filters
      : Filters
    : never
  : never

/** The names of the attributes with a value; of several types, all of their names. */
export type FieldOf<Uid, Of extends Side> = KeysOf<ValuesOf<Uid, Of>> & string

/** The names of the attributes that can be populated; of several types, all of their names. */
export type LinkName<Uid, Of extends Side> = KeysOf<LinksOf<Uid, Of>> & string

/** The targets of the links of this name, as a union of uids. */
export type TargetAt<Uid, Of extends Side, Name> = TargetOf<LinkAt<Uid, Of, Name>>

/** The link of this name; of several types, that of each type that has one. */
export type LinkAt<Uid, Of extends Side, Name> = Uid extends unknown
  ? Name extends keyof LinksOf<Uid, Of>
    ? LinksOf<Uid, Of>[Name]
    : never
  : never

/** The uids that a link leads to, in a union. */
export type TargetOf<L> = L extends { readonly one: infer Uid }
  ? Uid
  : L extends { readonly many: infer Uid }
    ? Uid
    : L extends { readonly zone: infer Uid }
      ? Uid
      : never
