// Declares content types and components as they are after the start: frozen, and never changed.

import { UsageError } from '../errors.ts'
import type { Action } from '../query/query.ts'
import type { ScalarType } from './attribute-types.ts'

/** Name of a content type (`api::article.article`) or of a component (`shared.seo`). */
export type Uid = string

/** The operations of callers on a content type; a right to count is the right to find. */
export type Operation = Exclude<Action, 'count'>

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
  /** The `type` in the schema: `string`, `relation`, or a type of a plugin. */
  readonly type: string
  /** Never answered, and not allowed in queries; still writable (B-4.2). */
  readonly private: boolean
  readonly required: boolean
  /** Set only by the service: ignored in input (B-4.1). */
  readonly readonly: boolean
  /** True if filters may pass through it. Has no effect on an attribute that does not lead to others. */
  readonly isPassable: boolean
  /** True if sort keys may pass through it. Has no effect on an attribute that does not lead to others. */
  readonly isSortable: boolean
  /** True if the entries that it leads to are shown with the entry, without a right to find their type. */
  readonly isShownWithEntry: boolean
  /** The attribute as in its schema, with bounds as numbers. */
  readonly definition: AttributeDefinition
}

/** An attribute with a column of its own. */
export interface ScalarAttribute extends AttributeBase {
  readonly kind: 'scalar'
  readonly scalar: ScalarType
  readonly column: string
  readonly unique: boolean
  readonly indexed: boolean
  /** Returns the value that is answered to callers in place of a stored one; null: the stored value itself. */
  readonly present: ((value: unknown) => unknown) | null
}

/** The storage of a relation, from the point of view of the type that has the attribute. */
export type RelationStorage =
  /**
   * A link table: `from` contains this side's id, `to` the target's; `order` sorts the targets of one row (B-10.33).
   */
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

/** The values of the `relation` option (B-10.20 to B-10.26). */
export type RelationKind =
  | 'oneToOne'
  | 'oneToMany'
  | 'manyToOne'
  | 'manyToMany'
  | 'morphToOne'
  | 'morphToMany'
  | 'morphOne'
  | 'morphMany'

/** An attribute that links to other entries. */
export interface RelationAttribute extends AttributeBase {
  readonly kind: 'relation'
  readonly relation: RelationKind
  /** Null for morphToOne and morphToMany, which may link to any type. */
  readonly target: Uid | null
  readonly many: boolean
  /** True if this side's schema determines the tables. */
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

/** An attribute whose type or target is not there: it is loaded, stays empty and cannot be written. */
export interface DormantAttribute extends AttributeBase {
  readonly kind: 'dormant'
  readonly many: boolean
  /** True: null or an empty list if it is populated. False: always omitted. */
  readonly isPopulatable: boolean
  /** The reason for which it is always empty, as the end of a sentence. */
  readonly why: string
}

export type Attribute = ScalarAttribute | RelationAttribute | ComponentAttribute | ZoneAttribute | DormantAttribute

/** A content type or a component. */
export interface ContentType {
  readonly uid: Uid
  readonly kind: 'collectionType' | 'singleType' | 'component'
  readonly singularName: string
  readonly pluralName: string
  readonly displayName: string
  /** Name for generated types: the singular name in PascalCase unless the schema sets one (B-10.8). */
  readonly globalId: string
  readonly table: string
  readonly info: Readonly<Record<string, unknown>>
  readonly options: TypeOptions
  readonly pluginOptions: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** In the order in which answers show them (B-3.3). */
  readonly attributes: ReadonlyMap<string, Attribute>
  /** Has components or zones, and therefore a table `<table>_components`. */
  readonly hasComponents: boolean
  /** True: transports generate nothing for it. */
  readonly internal: boolean
  /** True: its plugin has its own routes, so transports with routes add none; otherwise it is like other types. */
  readonly hasOwnRoutes: boolean
  /** The names of its actions that differ from `<uid>.<operation>`; `kernel.actions.of` has all. */
  readonly actions: Readonly<Partial<Record<Operation, string>>>
  /** Former names, as in its schema: uids or tables. */
  readonly renamedFrom: readonly string[]
  /** The source of its schema, for messages: a file, or the uid. */
  readonly source: string
  /** Attributes that rules test on every read; those that are compared with one value come first. */
  readonly scopes: readonly string[]
  /** Indexes over several columns that plugins added, by attribute name. */
  readonly indexes: readonly IndexDefinition[]
  /** Attributes that the type has no longer, and whose column says which entries are hidden (`TypeDraft.retire`). */
  readonly retired: readonly RetiredAttribute[]
  /** Attributes that a new column takes its values from, by the attribute of the column (`TypeDraft.fill`). */
  readonly fills: ReadonlyMap<string, readonly string[]>
  /** The values of an entry that may lack required attributes (`TypeDraft.incomplete`); null if none may. */
  readonly incompleteWith: Readonly<Record<string, unknown>> | null
}

/** An attribute that a type has no longer. As long as its column is in the table, null there hides an entry. */
export interface RetiredAttribute {
  readonly attribute: ScalarAttribute
  /** The word for the hidden entries: `drafts`. */
  readonly entries: string
}

/** An index over columns of one type. */
export interface IndexDefinition {
  /** Their names; `title:desc` is in descending order, in an index with `isOnline`. */
  readonly attributes: readonly string[]
  readonly unique?: boolean
  /** True if it is made while others read and write, and if nothing but speed depends on it. */
  readonly isOnline?: boolean
  /** The place that names it, for messages; missing if a plugin does. */
  readonly source?: string
}

const ofCollections: readonly Operation[] = ['find', 'findOne', 'create', 'update', 'delete']
const ofSingles: readonly Operation[] = ['find', 'update', 'delete']

/** The operations of a content type (B-1.1, B-1.7). */
export function operationsOf(kind: ContentType['kind']): readonly Operation[] {
  return kind === 'singleType' ? ofSingles : kind === 'component' ? [] : ofCollections
}

/** The relation with this name. Throws UsageError if there is none. */
export function relationOf(type: ContentType, name: string): RelationAttribute {
  const attribute = type.attributes.get(name)
  if (attribute?.kind !== 'relation')
    throw new UsageError('PLINTH_ATTRIBUTE_UNKNOWN', `${type.uid} has no relation "${name}"`)
  return attribute
}

/** The scalar attribute with this name. Throws UsageError if there is none. */
export function scalarOf(type: ContentType, name: string): ScalarAttribute {
  const attribute = type.attributes.get(name)
  if (attribute?.kind !== 'scalar')
    throw new UsageError('PLINTH_ATTRIBUTE_UNKNOWN', `${type.uid} has no scalar attribute "${name}"`)
  return attribute
}

/** The attribute of `target` that is the other side of a polymorphic relation of `own`; null if there is none. */
export function inverseOfMorph(own: ContentType, { name }: RelationAttribute, target: ContentType): string | null {
  for (const one of target.attributes.values()) {
    if (one.kind === 'relation' && one.target === own.uid && one.definition.morphBy === name) return one.name
  }
  return null
}

/** The relations of `target` that show the links of a relation of `own` from the other side. */
export function inversesOf(
  own: ContentType,
  { name, definition }: RelationAttribute,
  target: ContentType,
): readonly RelationAttribute[] {
  const inverseNames = [definition.mappedBy, definition.inversedBy, definition.morphBy]
  return [...target.attributes.values()].filter((one): one is RelationAttribute => {
    if (one.kind !== 'relation') return false
    if (inverseNames.includes(one.name)) return true
    const { mappedBy, inversedBy, morphBy } = one.definition
    return one.target === own.uid && [mappedBy, inversedBy, morphBy].includes(name)
  })
}

/** Returns whether linking takes the target from its former owner (B-4.41). */
export function takesTargets(attribute: RelationAttribute): boolean {
  return attribute.bidirectional && attribute.relation.startsWith('oneTo')
}
