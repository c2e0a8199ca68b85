// Lays an extension over the schema of a content type (B-10.52, B-13.117), and refuses one that takes from its plugin
// what the plugin needs.

import { InvalidSchemaError } from '../errors.ts'
import { suggestion } from '../nearest.ts'
import { isRecord } from '../record.ts'
import type { AttributeDefinition, Uid } from './content-type.ts'
import type { TypeDraft } from './draft.ts'
import { FaultList } from './fault-list.ts'
import { topKeys } from './schema.ts'
import { typoOf } from './typo.ts'

/** A schema that is laid over that of a content type. */
export interface Extension {
  readonly uid: Uid
  readonly schema: unknown
  /** The source of the schema, for messages. */
  readonly source: string
}

type Definitions = Readonly<Record<string, AttributeDefinition>>

/**
 * The schema of `draft` with that of the extension over it, key by key. Attributes with `configurable: false` are those
 * that the plugin needs. Throws InvalidSchemaError.
 */
export function layOver(draft: TypeDraft, { schema, source }: Extension): object {
  if (!isRecord(schema)) throw new InvalidSchemaError(source, '', 'must be an object')
  const faults = new FaultList(source)
  const own = schemaOf(draft)
  const laid = { ...own, ...schema, options: optionsOf(draft, schema.options ?? own.options) }
  checkKeys(schema, faults)
  checkNames(own, laid, faults)
  const { attributes } = schema
  if (attributes !== undefined && !isRecord(attributes)) faults.add('attributes', 'must be an object')
  if (!isRecord(attributes)) {
    faults.throw()
    return laid
  }
  for (const [name, definition] of draft.attributes)
    if (definition.configurable === false) checkNeeded(draft, name, definition, attributes as Definitions, faults)
  faults.throw()
  return { ...laid, attributes: withFlags(draft, attributes as Definitions) }
}

/** Refuses misspelt keys here, because the schema of the plugin has the right ones. */
function checkKeys(schema: object, faults: FaultList): void {
  for (const key of Object.keys(schema)) {
    const meant = topKeys.includes(key) ? null : typoOf(key, topKeys)
    if (meant !== null) faults.add(key, `unknown key, did you mean "${meant}"?`)
  }
}

/** The schema that would give this draft. */
function schemaOf({ kind, table, globalId, info, options, pluginOptions, renamedFrom, attributes }: TypeDraft) {
  return {
    kind: kind as unknown,
    collectionName: table,
    globalId,
    info: info as unknown,
    options: options as unknown,
    pluginOptions,
    renamedFrom,
    attributes: Object.fromEntries(attributes),
  }
}

/** The plugin and the transports know a type by its kind and names. */
function checkNames(
  own: { readonly kind: unknown; readonly info: unknown },
  laid: { readonly kind: unknown; readonly info: unknown },
  faults: FaultList,
): void {
  if (laid.kind !== own.kind) faults.add('kind', `must stay "${String(own.kind)}"`)
  const [names, before] = [laid.info, own.info].map(one => (isRecord(one) ? one : {}))
  for (const key of ['singularName', 'pluralName'])
    if (names![key] !== undefined && names![key] !== before![key])
      faults.add(`info.${key}`, `must stay "${String(before![key])}"`)
}

/** The options that say what an attribute holds. */
const identity = ['type', 'relation', 'target', 'component']

function checkNeeded(
  { uid, attributes: before }: TypeDraft,
  name: string,
  own: AttributeDefinition,
  attributes: Definitions,
  faults: FaultList,
): void {
  const plugin = /^plugin::([\w-]+)\./.exec(uid)?.[1]
  const who = plugin === undefined ? uid : `plugin ${plugin}`
  if (!Object.hasOwn(attributes, name)) {
    const others = Object.keys(attributes).filter(other => !before.has(other))
    const fault = `is missing, but ${who} needs it; \`attributes\` replaces all attributes of the type`
    faults.add(`attributes.${name}`, fault + suggestion(name, others))
    return
  }
  const attribute = attributes[name]
  for (const option of isRecord(attribute) ? identity : []) {
    if (own[option] === attribute![option]) continue
    const must = own[option] === undefined ? 'must not be set' : `must stay ${JSON.stringify(own[option])}`
    faults.add(`attributes.${name}.${option}`, `${must}, because ${who} needs the attribute`)
  }
}

/** The flags that hold whatever an extension says, if the plugin sets them on an attribute that it needs. */
const ofNeeded = ['private', 'required', 'unique', 'configurable']

/** The attributes of an extension, with the flags that their plugin has set. */
function withFlags(draft: TypeDraft, attributes: Definitions): Definitions {
  const flagged = Object.entries(attributes).map(([name, attribute]) => {
    const own = draft.attributes.get(name)
    if (own === undefined || !isRecord(attribute)) return [name, attribute]
    const flags = own.configurable === false ? ofNeeded : ['private']
    const flagEntries = flags
      .filter(flag => own[flag] === true || flag === 'configurable')
      .map(flag => [flag, own[flag]])
    return [name, { ...attribute, ...Object.fromEntries(flagEntries) }]
  })
  return Object.fromEntries(flagged) as Definitions
}

/** The options of an extension; what the plugin lists as private stays private. */
function optionsOf(draft: TypeDraft, options: unknown): unknown {
  const own = draft.options.privateAttributes ?? []
  if (own.length === 0 || !isRecord(options)) return options
  const { privateAttributes = [] } = options
  if (!Array.isArray(privateAttributes)) return options
  return { ...options, privateAttributes: [...new Set([...own, ...privateAttributes])] }
}
