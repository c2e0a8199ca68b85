// What exists: content types and components as they stand after boot. Frozen; nothing here changes any more.

import { UsageError } from '../errors.ts'
import type { ScalarType } from './attribute-types.ts'

/** Name of a content type (`api::article.article`) or of a component (`shared.seo`). */
export type Uid = string

/** `options` of a schema file; plugins add their own keys by declaration merging. */
export interface TypeOptions {
  readonly populateCreatorFields?: boolean
  readonly privateAttributes?: readonly string[]
  readonly [option: string]: unknown
}

/** An attribute as written in a schema file. */
export type AttributeDefinition = Readonly<Record<string, unknown>> & { readonly type: string }

interface AttributeBase {
  readonly name: string
  /** The type word of the schema: `string`, `relation`, or a word of a plugin. */
  readonly type: string
  /** Never answered, never to be asked for; still writable (B-4.2). */
  readonly private: boolean
  readonly required: boolean
  /** Set by the service only: ignored in input (B-4.1). */
  readonly readonly: boolean
  /** Filters and sort keys may go through it, if it leads to other attributes. */
  readonly isPassable: boolean
  /** The attribute as its schema wrote it, bounds read as numbers. */
  readonly definition: AttributeDefinition
}

/** An attribute with a column of its own. */
export interface ScalarAttribute extends AttributeBase {
  readonly kind: 'scalar'
  readonly scalar: ScalarType
  readonly column: string
  readonly unique: boolean
  readonly indexed: boolean
}

/** Where the rows of a relation lie, seen from the type that has the attribute. */
export type RelationStorage =
  /** A link table: `from` holds this side's id, `to` the target's; `order` sorts the targets of one row (B-10.33). */
  | {
      readonly kind: 'links'
      readonly table: string
      readonly from: string
      readonly to: string
      readonly order: string | null
      readonly inverseOrder: string | null
    }
  /** A column of this type's table. */
  | { readonly kind: 'column'; readonly column: string }
  /** A column of the target's table. */
  | { readonly kind: 'inverseColumn'; readonly column: string }
  /** The morph table of this side's morphToMany (B-10.35). */
  | {
      readonly kind: 'morphs'
      readonly table: string
      readonly owner: string
      readonly id: string
      readonly type: string
    }
  /** This table's `target_id` and `target_type` (B-10.36). */
  | { readonly kind: 'morphColumns' }
  /** The morph table of the target's morphToMany. */
  | {
      readonly kind: 'inverseMorphs'
      readonly table: string
      readonly owner: string
      readonly id: string
      readonly type: string
    }
  /** The target's `target_id` and `target_type`. */
  | { readonly kind: 'inverseMorphColumns' }

/** A link table, seen from one of its sides. */
export type LinkTable = Extract<RelationStorage, { kind: 'links' }>

/** A morph table, seen from one of its sides. */
export type MorphTable = Extract<RelationStorage, { kind: 'morphs' | 'inverseMorphs' }>

/** The words of the `relation` option (B-10.20 to B-10.26). */
export type RelationKind =
  | 'oneToOne'
  | 'oneToMany'
  | 'manyToOne'
  | 'manyToMany'
  | 'morphToOne'
  | 'morphToMany'
  | 'morphOne'
  | 'morphMany'

/** An attribute that points at other entries. */
export interface RelationAttribute extends AttributeBase {
  readonly kind: 'relation'
  readonly relation: RelationKind
  /** Null for morphToOne and morphToMany, which may point at any type. */
  readonly target: Uid | null
  readonly many: boolean
  /** True where this side's schema decides the tables. */
  readonly owner: boolean
  /** Both sides have an attribute: linking takes the target from its former owner (B-4.41). */
  readonly bidirectional: boolean
  readonly storage: RelationStorage
}

/** One component, or a list of them. */
export interface ComponentAttribute extends AttributeBase {
  readonly kind: 'component'
  readonly component: Uid
  readonly many: boolean
}

/** A list of components of several types. */
export interface ZoneAttribute extends AttributeBase {
  readonly kind: 'zone'
  readonly components: readonly Uid[]
}

/** An attribute whose plugin is not there: it loads, stays empty and cannot be written. */
export interface DormantAttribute extends AttributeBase {
  readonly kind: 'dormant'
  readonly many: boolean
  /** Populated, it is null or an empty list; otherwise it is left out. */
  readonly isPopulatable: boolean
}

export type Attribute = ScalarAttribute | RelationAttribute | ComponentAttribute | ZoneAttribute | DormantAttribute

/** A content type or a component. */
export interface ContentType {
  readonly uid: Uid
  readonly kind: 'collectionType' | 'singleType' | 'component'
  readonly singularName: string
  readonly pluralName: string
  readonly displayName: string
  /** Name for generated types: PascalCase of the singular name unless the schema says otherwise (B-10.8). */
  readonly globalId: string
  readonly table: string
  readonly info: Readonly<Record<string, unknown>>
  readonly options: TypeOptions
  readonly pluginOptions: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** In the order in which answers show them (B-3.3). */
  readonly attributes: ReadonlyMap<string, Attribute>
  /** Has components or zones, hence a `<table>_components`. */
  readonly hasComponents: boolean
  /** Doors generate nothing for it. */
  readonly internal: boolean
  /** What it was called before: uids or tables, as its schema says them. */
  readonly renamedFrom: readonly string[]
  /** Attributes that rules test on every read, those compared with one value first. */
  readonly scopes: readonly string[]
  /** Indexes of several columns that plugins asked for, by attribute name. */
  readonly indexes: readonly IndexDefinition[]
}

/** An index over columns of one type. */
export interface IndexDefinition {
  readonly attributes: readonly string[]
  readonly unique?: boolean
}

/** The relation of that name, or throws: for code that was told to act on it. */
export function relationOf(type: ContentType, name: string): RelationAttribute {
  const attribute = type.attributes.get(name)
  if (attribute?.kind !== 'relation')
    throw new UsageError('PLINTH_ATTRIBUTE_UNKNOWN', `${type.uid} has no relation "${name}"`)
  return attribute
}

/** The scalar attribute of that name, or throws: for code that was told to act on it. */
export function scalarOf(type: ContentType, name: string): ScalarAttribute {
  const attribute = type.attributes.get(name)
  if (attribute?.kind !== 'scalar')
    throw new UsageError('PLINTH_ATTRIBUTE_UNKNOWN', `${type.uid} has no scalar attribute "${name}"`)
  return attribute
}

/** The attribute of `target` that is the other side of a polymorphic relation of `own`; null where it has none. */
export function inverseOfMorph(own: ContentType, { name }: RelationAttribute, target: ContentType): string | null {
  for (const one of target.attributes.values()) {
    if (one.kind === 'relation' && one.target === own.uid && one.definition.morphBy === name) return one.name
  }
  return null
}

/** Does linking take the target from its former owner (B-4.41)? */
export function takesTargets(attribute: RelationAttribute): boolean {
  return attribute.bidirectional && attribute.relation.startsWith('oneTo')
}
