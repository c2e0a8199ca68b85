// Lists the options of attribute types as JSON schemas with descriptions, for editors. What a start accepts is decided by
// the kernel, which also accepts options of plugins.

/** A JSON schema. */
export type JsonSchema = Readonly<Record<string, unknown>>

const describedAs = (description: string, schema: JsonSchema): JsonSchema => ({ ...schema, description })
const flag = (description: string) => describedAs(description, { type: 'boolean' })
const text = (description: string) => describedAs(description, { type: 'string' })
const size = (description: string) => describedAs(description, { type: 'integer', minimum: 0 })
const numeric: JsonSchema = { type: ['number', 'string', 'null'] }

/** Options of every attribute. `pluginOptions` is a definition of the schema. */
const common: JsonSchema = {
  required: flag('True if published entries must have a value.'),
  private: flag('True if the attribute is never answered to callers.'),
  configurable: flag("An option of v4's administration panel."),
  writable: flag('False if values in `data` have no effect.'),
  visible: flag("An option of v4's administration panel."),
  searchable: flag('False if `_q` does not search it.'),
  pluginOptions: { $ref: '#/definitions/pluginOptions' },
  renamedFrom: {
    anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
    description: 'Former names, as long as values may be stored under them.',
  },
  description: text('What the values mean, for those who read documents of the API and generated types.'),
}

const column: JsonSchema = {
  unique: describedAs('True if no two entries may have the same value. A text is a rule of a plugin.', {
    type: ['boolean', 'string'],
  }),
  indexed: flag('True if the column has an index.'),
  default: { description: 'The value of new entries that have none.' },
  column: describedAs("An option of v4's database layer.", { type: 'object' }),
  columnName: text('The name of the column, if it is not that of the attribute.'),
}

const texts: JsonSchema = {
  minLength: size('The minimum number of characters.'),
  maxLength: size('The maximum number of characters.'),
  regex: text('A regular expression that values must match.'),
}

const bounds: JsonSchema = {
  min: describedAs('The minimum.', numeric),
  max: describedAs('The maximum.', numeric),
}

const counts: JsonSchema = {
  min: describedAs('The minimum number of components.', numeric),
  max: describedAs('The maximum number of components.', numeric),
}

const words: JsonSchema = {
  enum: describedAs('The values.', { type: 'array', items: { type: 'string' }, minItems: 1 }),
  enumName: text('The name of the enumeration in GraphQL.'),
}

const slugs: JsonSchema = {
  targetField: text('The attribute from which a value is made.'),
  options: describedAs('Options of the value that is made.', { type: 'object' }),
}

const relations = [
  'oneToOne',
  'oneToMany',
  'manyToOne',
  'manyToMany',
  'morphToOne',
  'morphToMany',
  'morphOne',
  'morphMany',
]

/** The schema of one attribute type: its options, and those that it must have. */
export interface AttributeSchema {
  readonly properties: JsonSchema
  readonly required?: readonly string[]
}

const textual: AttributeSchema = { properties: { ...common, ...column, ...texts } }
const numbers: AttributeSchema = { properties: { ...common, ...column, ...bounds } }
const plain: AttributeSchema = { properties: { ...common, ...column } }

/** The options of the attribute types of v4, by the type. `target` and `component` are definitions of the schema. */
export const attributeSchemas: Readonly<Record<string, AttributeSchema>> = {
  string: textual,
  text: textual,
  richtext: textual,
  email: textual,
  password: {
    properties: { ...textual.properties, encryption: describedAs('Options of the hash.', { type: 'object' }) },
  },
  uid: { properties: { ...textual.properties, ...slugs } },
  enumeration: { properties: { ...common, ...column, ...words }, required: ['enum'] },
  integer: numbers,
  biginteger: numbers,
  float: numbers,
  decimal: numbers,
  boolean: plain,
  date: plain,
  time: plain,
  datetime: plain,
  timestamp: plain,
  json: plain,
  blocks: plain,
  relation: {
    properties: {
      ...common,
      unique: column.unique,
      relation: describedAs('How many entries either side has.', { enum: relations }),
      target: { $ref: '#/definitions/target' },
      inversedBy: text('The relation of the target that is the other side, in the type that owns the relation.'),
      mappedBy: text('The relation of the target that owns the relation.'),
      morphBy: text('The polymorphic relation of the target.'),
      useJoinTable: flag('False if the relation is a column and has no table.'),
    },
    required: ['relation'],
  },
  media: {
    properties: {
      ...common,
      unique: column.unique,
      multiple: flag('True if there may be several files.'),
      allowedTypes: describedAs('The kinds of files.', {
        type: 'array',
        items: { enum: ['images', 'files', 'videos', 'audios'] },
      }),
    },
  },
  component: {
    properties: {
      ...common,
      ...counts,
      component: { $ref: '#/definitions/component' },
      repeatable: flag('True if it is a list of components.'),
    },
    required: ['component'],
  },
  dynamiczone: {
    properties: {
      ...common,
      ...counts,
      components: describedAs('The components that it may contain.', {
        type: 'array',
        items: { $ref: '#/definitions/component' },
      }),
    },
    required: ['components'],
  },
  customField: {
    properties: {
      ...common,
      ...column,
      ...texts,
      ...bounds,
      ...words,
      ...slugs,
      customField: text('The name of the custom field, such as `plugin::color-picker.color`.'),
    },
    required: ['customField'],
  },
}
