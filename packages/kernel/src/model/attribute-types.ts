// Lists the attribute types of B-10.10 to B-10.19: how each is stored, and which operators apply to it. Independent of
// databases: dialects map a storage to column types and codecs.

/** The storages of scalars. */
export const storages = [
  'string',
  'text',
  'integer',
  'biginteger',
  'float',
  'decimal',
  'boolean',
  'date',
  'time',
  'datetime',
  'timestamp',
  'json',
] as const

/** The storage of a scalar in a column; each dialect has one codec and one column type per storage. */
export type Storage = (typeof storages)[number]

/** The kind of a value, for casts in filters and for validation. */
export type Family =
  | 'text'
  | 'enumeration'
  | 'integer'
  | 'biginteger'
  | 'number'
  | 'boolean'
  | 'date'
  | 'time'
  | 'datetime'
  | 'json'
  | 'blocks'

/** A scalar attribute type. */
export interface ScalarType {
  readonly storage: Storage
  readonly family: Family
  /** Searched by `_q` (B-2.142). */
  readonly search?: 'text' | 'number'
  /** Never answered, and cannot be used in queries (B-3.11). */
  readonly secret?: boolean
  /** The maximum length of a text in bytes of UTF-8; longer values are refused. */
  readonly maxBytes?: number
  /** Unique because of its type, with an index of its own in v4 (B-10.32). */
  readonly unique?: boolean
  /** The TypeScript type of its values in types that are written from the model; by default that of the family. */
  readonly valueType?: string
  /** Computes the value to store, before the transaction; never called with null or undefined. */
  readonly prepare?: (value: unknown, options: Readonly<Record<string, unknown>>) => unknown | Promise<unknown>
  /**
   * Check of types of plugins: returns a message without the path, or null. Built-in families are checked in write/.
   */
  readonly check?: (value: unknown) => string | null
}

/** An attribute type that stands for another definition, such as a relation to a content type of its plugin. */
export interface AliasType {
  readonly as: (definition: Readonly<Record<string, unknown>>) => Record<string, unknown>
  /** False: filters and sort keys cannot pass through it to the attributes of its target. */
  readonly isPassable?: boolean
  /** True if sort keys can pass through it. By default the value of `isPassable`. */
  readonly isSortable?: boolean
  /** True if its target is shown with the entry, to callers who may not find the target's type. False by default. */
  readonly isShownWithEntry?: boolean
}

/**
 * A type of v4's schema files that the kernel does not implement. Without a plugin that does, its attributes are loaded,
 * stay empty and cannot be written.
 */
export interface DormantType {
  /** True: null or an empty list if it is populated. False: always omitted. */
  readonly isPopulatable: boolean
}

/** A type of v4's schema files without which a start is refused, because values would be stored or shown wrongly. */
export interface RequiredType {
  /** The plugin that implements it: the package `@plinth/<plugin>`. */
  readonly plugin: string
  /** Whoever implements it must keep its values secret. */
  readonly secret: true
}

/** The types that have no implementation until a plugin adds one. */
export const placeholderTypes: Readonly<Record<string, DormantType | RequiredType>> = {
  media: { isPopulatable: true },
  // A column without its hash function would hold passwords as text.
  password: { plugin: 'passwords', secret: true },
}

/** Known option names, used to find misspellings. */
export const commonOptions = [
  'type',
  'required',
  'unique',
  'private',
  'configurable',
  'default',
  'writable',
  'visible',
  'searchable',
  'column',
  'columnName',
  'pluginOptions',
  'indexed',
  'minLength',
  'maxLength',
  'regex',
  'min',
  'max',
  'enum',
  'enumName',
  'targetField',
  'options',
  'multiple',
  'allowedTypes',
  'component',
  'components',
  'repeatable',
  'relation',
  'target',
  'inversedBy',
  'mappedBy',
  'morphBy',
  'useJoinTable',
  'customField',
  'encryption',
  'renamedFrom',
  'description',
]

/** Options of v4's tools and of plugins that resemble an option above, but are not misspellings of it. */
export const usualOptions = [
  'columns',
  'editable',
  'hint',
  'index',
  'joinColumn',
  'joinTable',
  'kind',
  'label',
  'main',
  'map',
  'mime',
  'mix',
  'name',
  'readonly',
  'sortable',
  'types',
]

const text = { family: 'text', search: 'text' } as const

/** The built-in scalar types. */
export const scalarTypes: Readonly<Record<string, ScalarType>> = {
  string: { storage: 'string', ...text },
  text: { storage: 'text', ...text },
  richtext: { storage: 'text', ...text },
  email: { storage: 'string', ...text },
  uid: { storage: 'string', unique: true, ...text },
  enumeration: { storage: 'string', family: 'enumeration', search: 'text' },
  integer: { storage: 'integer', family: 'integer', search: 'number' },
  biginteger: { storage: 'biginteger', family: 'biginteger', search: 'number' },
  float: { storage: 'float', family: 'number', search: 'number' },
  decimal: { storage: 'decimal', family: 'number', search: 'number' },
  boolean: { storage: 'boolean', family: 'boolean' },
  date: { storage: 'date', family: 'date' },
  time: { storage: 'time', family: 'time' },
  datetime: { storage: 'datetime', family: 'datetime' },
  timestamp: { storage: 'timestamp', family: 'datetime' },
  json: { storage: 'json', family: 'json' },
  blocks: { storage: 'json', family: 'blocks' },
}
