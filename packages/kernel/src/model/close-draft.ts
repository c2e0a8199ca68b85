// Closes the drafts of content types and components: resolves their definitions to attributes and freezes them.
// relations.ts determines the tables of relations.

import { InvalidSchemaError } from '../errors.ts'
import { suggestion } from '../nearest.ts'
import type { AttributeTypeSet } from './attribute-type-set.ts'
import { type AliasType, placeholderTypes, type RequiredType, type ScalarType } from './attribute-types.ts'
import { withBounds } from './bounds.ts'
import type { Attribute, AttributeDefinition, ContentType, RetiredAttribute, Uid } from './content-type.ts'
import { creatorUid, isCreatorName } from './creator.ts'
import { withSeconds } from './default.ts'
import { checkIndexes, type TypeDraft } from './draft.ts'
import { faultOf } from './mend-relations.ts'
import { columnName } from './naming.ts'
import { resolveRelation } from './relations.ts'

/**
 * The model in which a draft is closed: the other drafts, the attribute types, and the names that are private
 * everywhere.
 */
export interface DraftModel {
  readonly drafts: ReadonlyMap<Uid, TypeDraft>
  readonly attributeTypes: AttributeTypeSet
  readonly privateAttributes: readonly string[]
}

/** An attribute as its draft defines it. */
interface WrittenAttribute {
  readonly draft: TypeDraft
  readonly name: string
  readonly written: AttributeDefinition
  readonly model: DraftModel
}

/** The uid of a component, and where a schema names it. */
interface ComponentUse {
  readonly path: string
  readonly uid: Uid
}

/** The frozen content type of a draft. Throws InvalidSchemaError. */
export function closeDraft(draft: TypeDraft, model: DraftModel): ContentType {
  const attributes = new Map<string, Attribute>()
  for (const [name, definition] of draft.attributes)
    attributes.set(name, resolveAttribute({ draft, name, written: definition, model }))
  const all = [...attributes.values()]
  checkIndexes(draft, attributes)
  return Object.freeze({
    uid: draft.uid,
    kind: draft.kind,
    singularName: draft.singularName,
    pluralName: draft.pluralName,
    displayName: draft.displayName,
    globalId: draft.globalId,
    table: draft.table,
    info: draft.info,
    options: draft.options,
    pluginOptions: draft.pluginOptions,
    internal: draft.internal,
    hasOwnRoutes: draft.hasOwnRoutes,
    actions: draft.actions,
    renamedFrom: draft.renamedFrom,
    source: draft.source,
    indexes: draft.indexes,
    retired: retiredOf(draft, attributes, model),
    fills: draft.fills,
    incompleteWith: draft.incompleteWith,
    scopes: draft.scopes.toSorted((a, b) => Number(b.isEqual) - Number(a.isEqual)).map(one => one.attribute),
    attributes,
    hasComponents: all.some(one => one.kind === 'component' || one.kind === 'zone'),
  })
}

/** The retired attributes whose name and column no attribute of the type has. */
function retiredOf(
  draft: TypeDraft,
  attributes: ReadonlyMap<string, Attribute>,
  model: DraftModel,
): readonly RetiredAttribute[] {
  const columns = new Set([...attributes.values()].map(one => (one.kind === 'scalar' ? one.column : one.name)))
  const retired: RetiredAttribute[] = []
  for (const [name, entries] of draft.retired) {
    const attribute = resolveAttribute({ draft, name, written: { type: 'datetime' }, model })
    if (attribute.kind !== 'scalar' || attributes.has(name) || columns.has(attribute.column)) continue
    retired.push({ attribute, entries })
  }
  return retired
}

function resolveAttribute({ draft, name, written, model }: WrittenAttribute): Attribute {
  const attributeType = model.attributeTypes.get(written.type)
  const definition = withSeconds(
    withBounds(
      attributeType !== undefined && 'as' in attributeType
        ? ({ ...written, ...attributeType.as(written) } as AttributeDefinition)
        : written,
    ),
  )
  const hidden = [...(draft.options.privateAttributes ?? []), ...model.privateAttributes]
  const scalar = model.attributeTypes.get(definition.type) as ScalarType | undefined
  const base = {
    name,
    type: written.type,
    private: definition.private === true || hidden.includes(name) || scalar?.secret === true,
    required: definition.required === true,
    readonly: draft.readonlyAttributes.has(name),
    ...passageOf(attributeType),
    isShownWithEntry: isShownWithEntry(attributeType, name, definition),
    definition,
  }
  const many = definition.repeatable === true || definition.multiple === true
  if (definition.type === 'relation') {
    const resolved = resolveRelation(
      draft,
      name,
      definition,
      uid => model.drafts.get(uid),
      () => contentTypeUids(model.drafts),
    )
    if (resolved !== null) return { ...base, ...resolved }
  }
  const placeholder = scalar === undefined ? placeholderTypes[definition.type] : undefined
  if (placeholder !== undefined && 'plugin' in placeholder)
    throw missingPlugin(draft, name, definition.type, placeholder)
  if (definition.type === 'relation' || placeholder !== undefined) {
    const isMany = many || /Many$/.test(String(definition.relation ?? ''))
    const isPopulatable = placeholder?.isPopulatable === true
    return { ...base, kind: 'dormant', many: isMany, isPopulatable, why: reasonFor(definition, model) }
  }
  if (definition.type === 'component') {
    const component = requireComponent(model, draft, {
      path: `attributes.${name}.component`,
      uid: definition.component as string,
    })
    return { ...base, kind: 'component', component, many }
  }
  if (definition.type === 'dynamiczone') {
    const listed = definition.components as string[]
    const components = listed.map((uid, i) =>
      requireComponent(model, draft, { path: `attributes.${name}.components.${i}`, uid }),
    )
    return { ...base, kind: 'zone', components }
  }
  return {
    ...base,
    kind: 'scalar',
    scalar: scalar!,
    column: typeof definition.columnName === 'string' ? definition.columnName : columnName(name),
    // A string selects a looser rule of a plugin; without the plugin, the attribute is unique.
    unique: definition.unique === true || typeof definition.unique === 'string' || isAlwaysUnique(definition, scalar!),
    indexed: definition.indexed === true,
    present: draft.presents.get(name) ?? null,
  }
}

function missingPlugin(
  { source }: TypeDraft,
  name: string,
  type: string,
  { plugin }: RequiredType,
): InvalidSchemaError {
  const remedy = `npm install @plinth/${plugin}, and ${plugin}: true in config/plugins`
  return new InvalidSchemaError(source, `attributes.${name}.type`, `"${type}" needs the plugin "${plugin}": ${remedy}`)
}

/** Returns why an attribute is always empty: what it needs is not there. */
function reasonFor(definition: AttributeDefinition, { drafts }: DraftModel): string {
  const { type, target } = definition
  if (type !== 'relation') return `no enabled plugin provides the type "${type}"`
  const uid = String(target)
  const targetDraft = drafts.get(uid)
  if (targetDraft !== undefined)
    return `${faultOf(definition, targetDraft)}, and no relation there has inversedBy to it`
  if (uid === creatorUid) return 'Plinth has no administrators'
  if (uid.startsWith('admin::')) return 'Plinth has no administration panel, to which the target belongs'
  const [, plugin] = /^plugin::([^.]+)/.exec(uid) ?? []
  return `the plugin "${plugin}", to which the target belongs, is not enabled`
}

/** A plugin that changes an attribute may say otherwise, for values that are unique within a part of the entries. */
function isAlwaysUnique({ unique }: AttributeDefinition, scalar: ScalarType): boolean {
  return scalar.unique === true && unique !== false
}

/** Returns `uid` if it is that of a component. Throws InvalidSchemaError with the place in the schema. */
function requireComponent({ drafts }: DraftModel, { source }: TypeDraft, { path, uid }: ComponentUse): Uid {
  if (drafts.get(uid)?.kind === 'component') return uid
  const componentUids = [...drafts.values()].filter(one => one.kind === 'component').map(one => one.uid)
  throw new InvalidSchemaError(source, path, `unknown component "${uid}"${suggestion(uid, componentUids)}`)
}

/** The uids of the drafts that are not components. */
export function contentTypeUids(drafts: ReadonlyMap<Uid, TypeDraft>): string[] {
  return [...drafts.values()].filter(one => one.kind !== 'component').map(one => one.uid)
}

/** Returns whether filters and sort keys may pass through an attribute of the type. */
function passageOf(type: ScalarType | AliasType | undefined): Pick<Attribute, 'isPassable' | 'isSortable'> {
  const { isPassable = true, isSortable = isPassable }: Omit<AliasType, 'as'> =
    type !== undefined && 'as' in type ? type : {}
  return { isPassable, isSortable }
}

/** Components belong to their entry; creators are shown where a type shows them (B-3.30). */
function isShownWithEntry(
  type: ScalarType | AliasType | undefined,
  name: string,
  { type: word, target }: AttributeDefinition,
): boolean {
  if (type !== undefined && 'as' in type) return type.isShownWithEntry === true
  if (word === 'component' || word === 'dynamiczone') return true
  return target === creatorUid && isCreatorName(name)
}
