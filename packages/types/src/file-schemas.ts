// Writes the JSON schemas of an application's schema files, with which editors complete options and underline misspelt
// ones. They are no stricter than a start, but for options that have no effect on the type of an attribute.

import type { Kernel } from '@plinth/kernel'
import { attributeSchemas, type JsonSchema } from './attribute-schemas.ts'

/** The texts of the files. */
export interface FileSchemas {
  /** The schema of content types. */
  readonly contentType: string
  /** The schema of components. */
  readonly component: string
}

type DescribedKernel = Pick<Kernel, 'contentTypes' | 'attributeTypes'>

const kebab = { type: 'string', pattern: '^([a-z][a-z0-9]*)(-[a-z0-9]+)*$' }

/** Keys for tools, which a start ignores. */
const forTools = { '^(?:[$_]|x-)': {} }

/** Keys and options in files of v4 that have no effect. */
const keysOfV4 = ['uid', 'modelName', 'modelType', 'apiName', 'category', 'connection', 'plugin', 'config', 'actions']
const optionsOfV4 = ['comment', 'increments', 'timestamps', 'reviewWorkflows']

const anyValues = (names: readonly string[]) => Object.fromEntries(names.map(name => [name, {}]))
/** An enumeration must not be empty. */
const oneOf = (words: readonly string[]) => (words.length === 0 ? { type: 'string' } : { enum: words })
/** Editors show the description of a member itself, and not that of an alternative. */
const orNull = ({ description, ...schema }: { readonly description?: unknown }) => ({
  ...(description !== undefined && { description }),
  anyOf: [schema, { type: 'null' }],
})

/** Writes the JSON schemas for the content types and components of a kernel, with the types and options of its plugins. */
export function writeFileSchemas(kernel: DescribedKernel): FileSchemas {
  return { contentType: textOf(contentTypeSchema(kernel)), component: textOf(componentSchema(kernel)) }
}

const textOf = (schema: JsonSchema) => `${JSON.stringify(schema, null, 2)}\n`

function contentTypeSchema(kernel: DescribedKernel): JsonSchema {
  const names = {
    singularName: { ...kebab, description: 'The name of an entry, in kebab-case.' },
    pluralName: { ...kebab, description: 'The name of several entries, in kebab-case: the path of the REST API.' },
    displayName: { type: 'string', minLength: 1, description: 'The name that people read.' },
  }
  return schemaOf(kernel, {
    required: ['info', 'attributes'],
    kind: {
      enum: ['collectionType', 'singleType'],
      description: 'The kind of the type: several entries, or a single one.',
    },
    collectionName: { type: 'string', minLength: 1, description: 'The name of the table.' },
    info: { type: 'object', properties: names, required: Object.keys(names) },
  })
}

function componentSchema(kernel: DescribedKernel): JsonSchema {
  return schemaOf(kernel, {
    required: ['collectionName', 'attributes'],
    collectionName: { type: 'string', minLength: 1, description: 'The name of the table.' },
    info: { type: 'object' },
  })
}

function schemaOf(kernel: DescribedKernel, { required, ...own }: JsonSchema): JsonSchema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $comment: '`plinth types` writes this file; what is changed here is lost.',
    type: 'object',
    required,
    properties: {
      ...own,
      options: { $ref: '#/definitions/options' },
      pluginOptions: { $ref: '#/definitions/pluginOptions' },
      attributes: {
        type: 'object',
        propertyNames: { pattern: '^(?=.*[A-Za-z0-9])[A-Za-z_][A-Za-z0-9_-]*$', not: { const: 'id' } },
        additionalProperties: { $ref: '#/definitions/attribute' },
      },
      globalId: { type: 'string', description: 'The name of its types in GraphQL and TypeScript.' },
      renamedFrom: {
        anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
        description: 'Former uids or table names, as long as rows may be stored under them.',
      },
      ...anyValues(keysOfV4),
    },
    patternProperties: forTools,
    additionalProperties: false,
    definitions: definitionsOf(kernel, 'kind' in own),
  }
}

function definitionsOf({ contentTypes, attributeTypes }: DescribedKernel, hasZones: boolean): JsonSchema {
  const types = contentTypes.values()
  const uids = (isComponent: boolean) =>
    types
      .filter(({ kind }) => (kind === 'component') === isComponent)
      .map(({ uid }) => uid)
      .sort()
  const words = [...new Set(attributeTypes.words)].filter(word => hasZones || word !== 'dynamiczone').sort()
  return {
    options: optionsOf(contentTypes.typeOptions),
    pluginOptions: pluginOptionsOf(contentTypes.pluginOptions),
    target: {
      description: 'The content type to which it leads.',
      // Types of plugins may be missing: their relations are empty then.
      anyOf: [oneOf(uids(false)), { type: 'string', pattern: '^(?:admin|plugin|strapi)::' }],
    },
    component: { description: 'The component.', ...oneOf(uids(true)) },
    attribute: {
      type: 'object',
      required: ['type'],
      properties: { type: { enum: words, description: 'The attribute type.' } },
      allOf: words.map(word => ({
        if: { properties: { type: { const: word } }, required: ['type'] },
        // biome-ignore lint/suspicious/noThenProperty: a key of JSON schemas.
        then: attributeOf(word, attributeTypes.usualOptions),
      })),
    },
  }
}

function attributeOf(word: string, usual: readonly string[]): JsonSchema {
  const schema = Object.hasOwn(attributeSchemas, word) ? attributeSchemas[word] : undefined
  // Nobody says which options the types of plugins have.
  if (schema === undefined) return { properties: attributeSchemas.customField!.properties }
  const { properties, required = [] } = schema
  return {
    properties: { type: {}, ...anyValues(usual), ...properties },
    required,
    patternProperties: forTools,
    additionalProperties: false,
  }
}

function optionsOf(typeOptions: DescribedKernel['contentTypes']['typeOptions']): JsonSchema {
  const options = [...typeOptions].map(([name, schema]) => [name, orNull(schema)])
  return {
    type: 'object',
    properties: {
      ...anyValues(optionsOfV4),
      draftAndPublish: { type: ['boolean', 'null'], description: 'True if entries may be drafts (draft-publish).' },
      populateCreatorFields: {},
      ...Object.fromEntries(options),
      privateAttributes: {
        type: 'array',
        items: { type: 'string' },
        description: 'Names of attributes that are never answered to callers.',
      },
    },
    patternProperties: forTools,
    additionalProperties: false,
  }
}

function pluginOptionsOf(pluginOptions: DescribedKernel['contentTypes']['pluginOptions']): JsonSchema {
  const plugins = [...pluginOptions].map(([plugin, schemas]) => [
    plugin,
    {
      type: 'object',
      properties: Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, orNull(schema)])),
      additionalProperties: false,
    },
  ])
  return {
    type: 'object',
    description: 'Options of plugins, by the plugin.',
    properties: Object.fromEntries(plugins),
    additionalProperties: { type: 'object' },
  }
}
