// What a schema file may say (B-10.1 to B-10.26), and the check that stops the start with a message one can act on.
// Knows files' contents only; whether targets exist is found out in registry.ts.

import { Type } from 'typebox'
import { InvalidSchemaError } from '../errors.ts'
import { nearest, suggestion } from '../nearest.ts'
import { commonOptions } from './attribute-types.ts'
import type { AttributeDefinition, TypeOptions } from './content-type.ts'
import { findFaults } from './faults.ts'
import { findRegexFault } from './regex.ts'

/** A content type as its file or its `defineContentType` twin says it. */
export interface ContentTypeSchema {
  readonly kind?: 'collectionType' | 'singleType'
  readonly collectionName?: string
  readonly info: {
    readonly singularName: string
    readonly pluralName: string
    readonly displayName: string
    readonly [key: string]: unknown
  }
  readonly options?: TypeOptions
  readonly pluginOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly attributes: Readonly<Record<string, AttributeDefinition>>
  readonly globalId?: string
  /** Former uids or table names, while their rows may still lie under them. */
  readonly renamedFrom?: string | readonly string[]
  readonly [key: string]: unknown
}

/** A component as its file says it. */
export interface ComponentSchema {
  readonly collectionName: string
  readonly info?: Readonly<Record<string, unknown>>
  readonly options?: TypeOptions
  readonly pluginOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly attributes: Readonly<Record<string, AttributeDefinition>>
  readonly globalId?: string
  /** Former uids or table names, while their rows may still lie under them. */
  readonly renamedFrom?: string | readonly string[]
  readonly [key: string]: unknown
}

const kebab = '^([a-z][a-z0-9]*)(-[a-z0-9]+)*$'
const open = { additionalProperties: true }
const shared = {
  options: Type.Optional(Type.Object({}, open)),
  pluginOptions: Type.Optional(Type.Object({}, open)),
  attributes: Type.Record(Type.String(), Type.Object({ type: Type.String() }, open)),
  globalId: Type.Optional(Type.String()),
  renamedFrom: Type.Optional(Type.Union([Type.String({ minLength: 1 }), Type.Array(Type.String({ minLength: 1 }))])),
}
const contentTypeSchema = Type.Object(
  {
    kind: Type.Optional(Type.Union([Type.Literal('collectionType'), Type.Literal('singleType')])),
    collectionName: Type.Optional(Type.String({ minLength: 1 })),
    info: Type.Object(
      {
        singularName: Type.String({ pattern: kebab }),
        pluralName: Type.String({ pattern: kebab }),
        displayName: Type.String({ minLength: 1 }),
      },
      open,
    ),
    ...shared,
  },
  open,
)
const componentSchema = Type.Object(
  { collectionName: Type.String({ minLength: 1 }), info: Type.Optional(Type.Object({}, open)), ...shared },
  open,
)

const relationKinds = [
  'oneToOne',
  'oneToMany',
  'manyToOne',
  'manyToMany',
  'morphToOne',
  'morphToMany',
  'morphOne',
  'morphMany',
]

/** Throws InvalidSchemaError where `schema` is not a content type. `typeWords` are the attribute types known by now. */
export function checkContentType(file: string, schema: unknown, typeWords: Iterable<string>): ContentTypeSchema {
  check(file, contentTypeSchema, schema)
  const { info } = schema as ContentTypeSchema
  if (info.singularName === info.pluralName) {
    throw new InvalidSchemaError(file, 'info.pluralName', `must differ from singularName "${info.singularName}"`)
  }
  checkAttributes(file, schema as ContentTypeSchema, [...typeWords])
  return schema as ContentTypeSchema
}

/** Throws InvalidSchemaError where `schema` is not a component. */
export function checkComponent(file: string, schema: unknown, typeWords: Iterable<string>): ComponentSchema {
  check(file, componentSchema, schema)
  checkAttributes(file, schema as ComponentSchema, [...typeWords])
  for (const [name, definition] of Object.entries((schema as ComponentSchema).attributes)) {
    if (definition.type === 'dynamiczone') {
      throw new InvalidSchemaError(file, `attributes.${name}.type`, 'a component cannot hold a dynamic zone')
    }
  }
  return schema as ComponentSchema
}

function check(file: string, shape: Parameters<typeof findFaults>[0], schema: unknown): void {
  if (schema === null || typeof schema !== 'object' || Array.isArray(schema)) {
    throw new InvalidSchemaError(file, '', 'must hold an object')
  }
  for (const key of Object.keys(schema)) {
    // Other unknown keys are v4's and its tools' own; this one misspelt would cost a table its rows.
    if (key !== 'renamedFrom' && nearest(key, ['renamedFrom']) !== null)
      throw new InvalidSchemaError(file, key, 'unknown key, did you mean "renamedFrom"?')
  }
  const [fault] = findFaults(shape, schema)
  if (fault === undefined) return
  const misspelt = fault.message === 'is missing' ? nearest(fault.path, keysOf(schema, fault.path)) : null
  throw new InvalidSchemaError(
    file,
    fault.path,
    misspelt === null || misspelt === fault.path ? fault.message : `is missing, is "${misspelt}" meant for it?`,
  )
}

/** Dotted paths of the keys beside the missing one. */
function keysOf(schema: object, path: string): string[] {
  const steps = path.split('.').slice(0, -1)
  const parent = steps.reduce<unknown>((node, step) => (node as Record<string, unknown> | undefined)?.[step], schema)
  return Object.keys(parent ?? {}).map(key => [...steps, key].join('.'))
}

function checkAttributes(file: string, schema: ContentTypeSchema | ComponentSchema, typeWords: string[]): void {
  for (const [name, definition] of Object.entries(schema.attributes)) {
    const path = `attributes.${name}`
    if (name === 'id') throw new InvalidSchemaError(file, path, 'the name "id" is taken by the system')
    if (!/^[A-Za-z_][A-Za-z0-9_-]*$/.test(name)) {
      throw new InvalidSchemaError(file, path, 'a name starts with a letter and holds letters, digits, "_" and "-"')
    }
    if (!typeWords.includes(definition.type)) {
      const fault = `unknown attribute type "${definition.type}"${suggestion(definition.type, typeWords)}`
      throw new InvalidSchemaError(file, `${path}.type`, fault)
    }
    for (const option of Object.keys(definition)) {
      if (commonOptions.includes(option)) continue
      const meant = nearest(option, commonOptions)
      if (meant !== null) {
        throw new InvalidSchemaError(file, `${path}.${option}`, `unknown option, did you mean "${meant}"?`)
      }
    }
    checkDefinition(file, path, definition)
    checkRename(file, path, definition, schema)
  }
}

/** Two attributes cannot both have been called that. */
function checkRename(
  file: string,
  path: string,
  definition: AttributeDefinition,
  schema: ContentTypeSchema | ComponentSchema,
): void {
  const { renamedFrom = [] } = definition
  const fail = (fault: string): never => {
    throw new InvalidSchemaError(file, `${path}.renamedFrom`, fault)
  }
  const names = typeof renamedFrom === 'string' ? [renamedFrom] : renamedFrom
  if (!Array.isArray(names) || names.some(one => typeof one !== 'string' || one === ''))
    fail('must be a former name or a list of them')
  for (const name of names as string[]) {
    if (!Object.hasOwn(schema.attributes, name)) continue
    fail(`"${name}" is an attribute of this type still; a rename's old name must be gone`)
  }
}

function checkDefinition(file: string, path: string, definition: AttributeDefinition): void {
  const fail = (option: string, fault: string): never => {
    throw new InvalidSchemaError(file, `${path}.${option}`, fault)
  }
  for (const option of ['required', 'unique', 'private', 'repeatable', 'multiple', 'indexed', 'useJoinTable']) {
    const value = definition[option]
    if (value !== undefined && typeof value !== 'boolean' && !(option === 'unique' && typeof value === 'string')) {
      fail(option, 'must be true or false')
    }
  }
  for (const option of ['min', 'max', 'minLength', 'maxLength']) {
    const value = definition[option]
    if (value !== undefined && value !== null && !Number.isFinite(Number(value))) fail(option, 'must be a number')
  }
  if (definition.regex !== undefined) {
    const fault = findRegexFault(definition.regex)
    if (fault !== null) fail('regex', fault)
  }
  if (definition.type === 'enumeration') checkEnumeration(definition, fail)
  if (definition.type === 'relation') checkRelation(definition, fail)
  if (definition.type === 'component' && typeof definition.component !== 'string') fail('component', 'is missing')
  if (definition.type === 'dynamiczone' && !Array.isArray(definition.components)) fail('components', 'must be a list')
}

type Fail = (option: string, fault: string) => never

function checkRelation(definition: AttributeDefinition, fail: Fail): void {
  const { relation, target } = definition
  if (typeof relation !== 'string') fail('relation', 'is missing')
  if (!relationKinds.includes(relation as string)) {
    fail('relation', `unknown relation "${relation}"${suggestion(String(relation), relationKinds)}`)
  }
  const morph = relation === 'morphToOne' || relation === 'morphToMany'
  if (!morph && typeof target !== 'string') fail('target', 'is missing')
  if ((relation === 'morphOne' || relation === 'morphMany') && typeof definition.morphBy !== 'string') {
    fail('morphBy', 'is missing')
  }
  if (definition.inversedBy !== undefined && definition.mappedBy !== undefined) {
    fail('mappedBy', 'a relation has inversedBy or mappedBy, not both')
  }
}

/** Values must give distinct names: a letter before the first digit (B-10.12). */
function checkEnumeration(definition: AttributeDefinition, fail: Fail): void {
  const values = definition.enum
  if (!Array.isArray(values) || values.length === 0) throw fail('enum', 'must be a list of at least one value')
  const names = new Map<string, string>()
  for (const value of values) {
    if (typeof value !== 'string') throw fail('enum', `every value must be text, found ${JSON.stringify(value)}`)
    const name = value.normalize('NFD').replace(/[^A-Za-z0-9_]+/g, '_')
    if (!/^[^0-9]*[A-Za-z]/.test(name)) fail('enum', `"${value}" has no letter before its first digit`)
    if (names.has(name)) fail('enum', `"${value}" and "${names.get(name)}" are the same name once cleaned`)
    names.set(name, value)
  }
}
