// The model as the panel works with it: types and components with the attributes that the user may see or fill, under the
// names that people read. Nothing here knows how the model, the rights or the entries are transferred.

/** An action on the entries of a type: `find`, `create`, `createLocalization` and the like. */
export type Action = string

/** The rights of the user to the entries of a type. */
export interface TypeRights {
  readonly actions: ReadonlySet<Action>
  /** The names of attributes that are answered; null for all. */
  readonly readable: ReadonlySet<string> | null
  /** The names of attributes that a creation takes; null for all. */
  readonly creatable: ReadonlySet<string> | null
  /** The names of attributes that an update takes; null for all. */
  readonly updatable: ReadonlySet<string> | null
  /** True if the user sees drafts. */
  readonly seesDrafts: boolean
  /** The locales that the user may see; null for all. */
  readonly locales: readonly string[] | null
}

/** The names of the attributes of a component that the user may read and write, wherever the component is. */
export interface ComponentRights {
  readonly readable: ReadonlySet<string>
  readonly writable: ReadonlySet<string>
}

/** An attribute of a type or a component. */
export interface Attribute {
  readonly name: string
  /** The name of its type in the schema; of a custom field, that of its base type. */
  readonly type: string
  /** The uid of the custom field that it is; null if it is none. */
  readonly customField: string | null
  readonly label: string
  readonly description: string | null
  readonly required: boolean
  readonly unique: boolean
  /** True if no answer contains its value. */
  readonly isPrivate: boolean
  /** True if each translation has a value of its own. */
  readonly isLocalized: boolean
  /** True if forms show it and do not change it. */
  readonly isReadonly: boolean
  /** True if forms do not show it. */
  readonly isHidden: boolean
  /** The other options of the schema, such as `maxLength`, `enum`, `target` or `component`. */
  readonly options: Readonly<Record<string, unknown>>
}

/** The presentation of a type. */
export interface Presentation {
  readonly mainField: string
  readonly columns: readonly string[] | null
  readonly sort: string | null
  readonly pageSize: number | null
  /** The rows of the form; null for the order of the schema. */
  readonly layout: readonly (readonly string[])[] | null
  /** The address of previews, with the names of attributes in braces. */
  readonly preview: string | null
}

/** The common members of types and components. */
interface WithAttributes extends Presentation {
  readonly uid: string
  /** The name of one: "Article". */
  readonly label: string
  readonly attributes: readonly Attribute[]
}

export interface Component extends WithAttributes {
  readonly category: string
  /** The name of its icon, as v4's panel stores it. */
  readonly icon: string | null
}

export interface ContentType extends WithAttributes {
  readonly kind: 'collection' | 'single'
  /** The name of all: "Articles". For a single type, the name of one. */
  readonly listLabel: string
  /** Its name in addresses of the panel and of the API: "articles", or "homepage" of a single type. */
  readonly slug: string
  /** The heading in the navigation; null for that of its kind. */
  readonly group: string | null
  readonly isHidden: boolean
  readonly hasDrafts: boolean
  readonly isLocalized: boolean
  readonly rights: TypeRights
}

export interface Model {
  /** The whole names of all actions that the user may do. */
  readonly actions: ReadonlySet<string>
  /** The types in the order of the model. */
  readonly types: readonly ContentType[]
  readonly typesByUid: ReadonlyMap<string, ContentType>
  readonly typesBySlug: ReadonlyMap<string, ContentType>
  readonly components: ReadonlyMap<string, Component>
}

/** An entry with its attributes beside its id, as the panel works with it. */
export interface Entry {
  readonly id: number
  readonly [attribute: string]: unknown
}

/** An entry, and the version that it has. */
export interface VersionedEntry {
  readonly entry: Entry
  readonly version: string
}
