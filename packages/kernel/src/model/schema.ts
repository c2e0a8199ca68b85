// Checks schema files (B-10.1 to B-10.26), with messages that say how to correct them. It checks only the content of
// one file; registry.ts checks whether targets exist.

import kebabCase from 'lodash/kebabCase.js'
import { type TSchema, Type } from '#typebox'
import { InvalidSchemaError } from '../errors.ts'
import { nearest } from '../nearest.ts'
import { knownWords } from '../registration/registrar.ts'
import type { AttributeDefinition, TypeOptions } from './content-type.ts'
import { checkDefinition } from './definition.ts'
import { type Fail, FaultList } from './fault-list.ts'
import { findFaults } from './faults.ts'
import { checkTypeOptions } from './type-options.ts'
import { typoOf } from './typo.ts'

/** A content type as written in its file or in `defineContentType`. */
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
  /** Former uids or table names, as long as rows may be stored under them. */
  readonly renamedFrom?: string | readonly string[]
  readonly [key: string]: unknown
}

/** A component as written in its file. */
export interface ComponentSchema {
  readonly collectionName: string
  readonly info?: Readonly<Record<string, unknown>>
  readonly options?: TypeOptions
  readonly pluginOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly attributes: Readonly<Record<string, AttributeDefinition>>
  readonly globalId?: string
  /** Former uids or table names, as long as rows may be stored under them. */
  readonly renamedFrom?: string | readonly string[]
  readonly [key: string]: unknown
}

const kebab = '^([a-z][a-z0-9]*)(-[a-z0-9]+)*$'
const kebabName = Type.String({ pattern: kebab, expected: 'in kebab-case' })
const notKebab = 'must be in kebab-case'
const open = { additionalProperties: true }
const shared = {
  options: Type.Optional(Type.Object({}, open)),
  pluginOptions: Type.Optional(Type.Object({}, open)),
  attributes: Type.Record(Type.String(), Type.Object({ type: Type.String() }, open)),
  globalId: Type.Optional(Type.String()),
}
const contentTypeSchema = Type.Object(
  {
    kind: Type.Optional(Type.Union([Type.Literal('collectionType'), Type.Literal('singleType')])),
    collectionName: Type.Optional(Type.String({ minLength: 1 })),
    info: Type.Object(
      {
        singularName: kebabName,
        pluralName: kebabName,
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

/** Keys of a content type or component that are checked for misspellings; other keys belong to v4 and its tools. */
export const topKeys = ['kind', 'collectionName', 'info', 'options', 'pluginOptions', 'attributes', 'globalId']

/** The parts of the registry that the check of a file needs. */
export interface CheckTools {
  /** The attribute types known so far. */
  readonly typeWords: readonly string[]
  /** The options of types known so far. */
  readonly typeOptions: ReadonlyMap<string, TSchema>
  readonly warn: (message: string) => void
}

/** Throws InvalidSchemaError if `schema` is not a content type. */
export function checkContentType(file: string, schema: unknown, tools: CheckTools): ContentTypeSchema {
  const faults = new FaultList(file)
  check(file, contentTypeSchema, schema, tools, faults)
  const checked = schema as ContentTypeSchema
  const { info } = checked
  if (info.singularName === info.pluralName) {
    faults.add('info.pluralName', `must differ from singularName "${info.singularName}"`)
  }
  checkAttributes(file, checked, tools, faults)
  faults.throw()
  return checked
}

/** Throws InvalidSchemaError if `schema` is not a component. */
export function checkComponent(file: string, schema: unknown, tools: CheckTools): ComponentSchema {
  const faults = new FaultList(file)
  check(file, componentSchema, schema, tools, faults)
  const checked = schema as ComponentSchema
  for (const [name, { type }] of Object.entries(checked.attributes)) {
    if (type === 'dynamiczone') faults.add(`attributes.${name}.type`, 'a component cannot contain a dynamic zone')
  }
  checkAttributes(file, checked, tools, faults)
  faults.throw()
  return checked
}

/**
 * Throws InvalidSchemaError if the file does not have the form of a schema, because no further check is possible then.
 */
function check(file: string, shape: TSchema, schema: unknown, tools: CheckTools, faults: FaultList): void {
  if (schema === null || typeof schema !== 'object' || Array.isArray(schema)) {
    throw new InvalidSchemaError(file, '', 'must be an object')
  }
  const explained = new Set<string>()
  for (const { path, message } of findFaults(shape, schema)) {
    const misspelt = message === 'is missing' ? nearest(path, keysOf(schema, path)) : null
    const isExplained = misspelt !== null && misspelt !== path
    if (isExplained) explained.add(misspelt)
    const hint = message === notKebab ? kebabHint((schema as ContentTypeSchema).info, path) : ''
    faults.add(path, isExplained ? `is missing; "${misspelt}" looks like a misspelling of it` : message + hint)
  }
  for (const key of Object.keys(schema)) if (!explained.has(key)) checkTopKey(file, schema, key, tools, faults)
  const { renamedFrom } = schema as ContentTypeSchema
  if (!areNames(renamedFrom)) faults.add('renamedFrom', formerNames)
  faults.throw()
  checkTypeOptions((schema as ContentTypeSchema).options ?? {}, tools.typeOptions, faults)
}

/** The name that was probably meant, for a name that is not in kebab-case. */
function kebabHint(info: ContentTypeSchema['info'], path: string): string {
  const meant = kebabCase(String(info[path.slice('info.'.length)]))
  return new RegExp(kebab).test(meant) ? `, did you mean "${meant}"?` : ', such as "blog-post"'
}

/** Keys of v4's schemas and of its tools that have no effect here. */
const ofV4 = ['uid', 'modelName', 'modelType', 'apiName', 'category', 'connection', 'plugin', 'config', 'actions']

/** Refuses a misspelt key and an option that does not stand below `options`, and warns of other unknown keys. */
function checkTopKey(file: string, schema: object, key: string, tools: CheckTools, faults: FaultList): void {
  if (topKeys.includes(key) || key === 'renamedFrom') return
  if (key === 'privateAttributes' || tools.typeOptions.has(key)) {
    faults.add(key, 'is not known here; it belongs below options')
    return
  }
  const meant = typoOf(key, topKeys) ?? nearest(key, ['renamedFrom'])
  // If the correct key is present too, the other one is intentional.
  if (meant !== null && !Object.hasOwn(schema, meant)) faults.add(key, `unknown key, did you mean "${meant}"?`)
  if (meant !== null || ofV4.includes(key) || /^(?:[$_]|x-)/.test(key)) return
  const isSwitch = typeof (schema as Record<string, unknown>)[key] === 'boolean'
  const hint = isSwitch ? '; options of a type belong below options' : ''
  tools.warn(`${file}: ${key}: unknown key, which has no effect${hint}`)
}

/** Dotted paths of the siblings of the missing key. */
function keysOf(schema: object, path: string): string[] {
  const steps = path.split('.').slice(0, -1)
  const parent = steps.reduce<unknown>((node, step) => (node as Record<string, unknown> | undefined)?.[step], schema)
  return Object.keys(parent ?? {}).map(key => [...steps, key].join('.'))
}

function checkAttributes(
  file: string,
  schema: ContentTypeSchema | ComponentSchema,
  { typeWords, warn }: CheckTools,
  faults: FaultList,
): void {
  for (const [name, definition] of Object.entries(schema.attributes)) {
    const path = `attributes.${name}`
    if (name === 'id') faults.add(path, 'the name "id" is reserved')
    if (!/^[A-Za-z_][A-Za-z0-9_-]*$/.test(name) || !/[A-Za-z0-9]/.test(name)) {
      faults.add(path, 'a name must begin with a letter or "_" and consist of letters, digits, "_" and "-"')
    }
    const fail: Fail = (option, fault) => faults.add(`${path}.${option}`, fault)
    if (!typeWords.includes(definition.type)) {
      fail('type', `unknown attribute type "${definition.type}"${knownWords(definition.type, typeWords)}`)
    }
    checkDefinition(definition, fail, (option, fault) => warn(`${file}: ${path}.${option}: ${fault}`))
    checkRename(definition, schema, fail)
  }
}

const formerNames = 'must be a former name or a list of former names'

function areNames(names: unknown = []): names is string | string[] {
  return [names].flat().every(one => typeof one === 'string' && one !== '')
}

/** Refuses a former name that is the name of another attribute of the type. */
function checkRename(
  { renamedFrom = [] }: AttributeDefinition,
  schema: ContentTypeSchema | ComponentSchema,
  fail: Fail,
): void {
  if (!areNames(renamedFrom)) {
    fail('renamedFrom', formerNames)
    return
  }
  for (const name of [renamedFrom].flat()) {
    if (!Object.hasOwn(schema.attributes, name)) continue
    fail('renamedFrom', `"${name}" still names an attribute of this type; a former name must not be in use`)
  }
}
