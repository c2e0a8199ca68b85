// Builds the model of the panel from the schemas, the rights of the user and the settings of the application. Types with
// which the user may do nothing, and attributes that are neither answered nor taken, are left out.

import { labelOf, listLabelOf } from './labels.ts'
import type {
  Action,
  Attribute,
  Component,
  ComponentRights,
  ContentType,
  Model,
  Presentation,
  TypeRights,
} from './types.ts'

type Options = Readonly<Record<string, unknown>>

/** A type or a component as the schema has it. */
export interface Schema {
  readonly uid: string
  readonly displayName: string
  readonly singularName?: string
  readonly pluralName?: string
  readonly kind?: 'collectionType' | 'singleType'
  readonly category?: string
  readonly icon?: string
  readonly draftAndPublish?: boolean
  readonly isLocalized?: boolean
  readonly visible?: boolean
  readonly attributes: Readonly<Record<string, Options>>
}

/** The application's settings for the presentation of a type. */
export interface TypeSettings
  extends Partial<Pick<Presentation, 'mainField' | 'columns' | 'sort' | 'pageSize' | 'layout' | 'preview'>> {
  readonly label?: string
  readonly group?: string
  readonly hidden?: boolean
  readonly hiddenAttributes?: readonly string[]
  readonly readonlyAttributes?: readonly string[]
  readonly labels?: Readonly<Record<string, string>>
  readonly descriptions?: Readonly<Record<string, string>>
}

export interface ModelParts {
  readonly types: readonly Schema[]
  readonly components: readonly Schema[]
  /** The rights by uid. A type without rights is left out. */
  readonly rights: ReadonlyMap<string, TypeRights>
  /** The rights by uid of the components; of one that is missing, the user may see and fill everything. */
  readonly componentRights?: ReadonlyMap<string, ComponentRights>
  /** The whole names of all actions that the user may do. */
  readonly actions: ReadonlySet<string>
  readonly settings: Readonly<Record<string, TypeSettings>>
}

export function buildModel({ types, components, rights, componentRights, actions, settings }: ModelParts): Model {
  const built = types.flatMap(schema => {
    const granted = rights.get(schema.uid)
    if (granted === undefined || granted.actions.size === 0 || hasOwnPages(schema.uid)) return []
    return [buildType(schema, granted, settings[schema.uid] ?? {})]
  })
  return {
    actions,
    types: built,
    typesByUid: new Map(built.map(type => [type.uid, type])),
    typesBySlug: new Map(built.map(type => [type.slug, type])),
    components: new Map(
      components.map(schema => [
        schema.uid,
        buildComponent(schema, settings[schema.uid] ?? {}, componentRights?.get(schema.uid) ?? null),
      ]),
    ),
  }
}

/** Types of plugins whose routes are not those of entries. The panel has other pages for them. */
const hasOwnPages = (uid: string): boolean => /^plugin::(?:upload|i18n|users-permissions)\./.test(uid)

function buildType(schema: Schema, rights: TypeRights, settings: TypeSettings): ContentType {
  const { uid, displayName, singularName = uid, pluralName = uid, kind } = schema
  const isSingle = kind === 'singleType'
  const attributes = attributesOf(schema, settings).filter(
    ({ name, isPrivate }) => (!isPrivate && isReadable(rights, name)) || isFillable(rights, name),
  )
  return {
    uid,
    kind: isSingle ? 'single' : 'collection',
    label: settings.label ?? displayName,
    listLabel: settings.label ?? (isSingle ? displayName : listLabelOf(displayName, singularName, pluralName)),
    slug: isSingle ? singularName : pluralName,
    group: settings.group ?? null,
    isHidden: settings.hidden ?? schema.visible === false,
    hasDrafts: schema.draftAndPublish === true,
    isLocalized: schema.isLocalized === true,
    attributes,
    rights,
    ...presentationOf(attributes, settings),
  }
}

function buildComponent(schema: Schema, settings: TypeSettings, rights: ComponentRights | null): Component {
  const attributes = attributesOf(schema, settings)
    .filter(({ name }) => rights === null || rights.readable.has(name) || rights.writable.has(name))
    .map(one => ({ ...one, isReadonly: one.isReadonly || !(rights?.writable.has(one.name) ?? true) }))
  return {
    uid: schema.uid,
    label: settings.label ?? schema.displayName,
    category: labelOf(schema.category ?? schema.uid.split('.')[0]!),
    icon: textOf(schema.icon),
    attributes,
    ...presentationOf(attributes, { ...settings, mainField: settings.mainField ?? firstTextOf(attributes) }),
  }
}

/** Attributes that the panel presents itself, outside of forms. */
const ownAttributes = new Set([
  'id',
  'createdAt',
  'updatedAt',
  'publishedAt',
  'locale',
  'localizations',
  'createdBy',
  'updatedBy',
])

function attributesOf({ attributes, isLocalized }: Schema, settings: TypeSettings): readonly Attribute[] {
  return Object.entries(attributes)
    .filter(([name]) => !ownAttributes.has(name))
    .map(([name, options]) => buildAttribute(name, options, { settings, isLocalized: isLocalized === true }))
}

/** Types whose values always belong to one translation. */
const alwaysLocalized = new Set(['relation', 'uid', 'password'])

function buildAttribute(
  name: string,
  options: Options,
  { settings, isLocalized }: { readonly settings: TypeSettings; readonly isLocalized: boolean },
): Attribute {
  const type = String(options.type)
  const ownOptions = (options.pluginOptions as { readonly i18n?: { readonly localized?: boolean } } | undefined)?.i18n
  return {
    name,
    type,
    customField: typeof options.customField === 'string' ? options.customField : null,
    label: settings.labels?.[name] ?? labelOf(name),
    description: settings.descriptions?.[name] ?? textOf(options.description),
    required: options.required === true,
    unique: options.unique === true || options.unique === 'perLocale' || type === 'uid',
    isPrivate: options.private === true || type === 'password',
    isLocalized: isLocalized && (ownOptions?.localized === true || alwaysLocalized.has(type)),
    isReadonly: options.writable === false || settings.readonlyAttributes?.includes(name) === true,
    isHidden: settings.hiddenAttributes?.includes(name) === true,
    options,
  }
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

const usualMainFields = ['title', 'name', 'label', 'heading', 'headline', 'displayName', 'username']
const textTypes = new Set(['string', 'uid', 'email', 'text', 'enumeration'])

function presentationOf(attributes: readonly Attribute[], settings: TypeSettings): Presentation {
  const names = new Set(attributes.map(({ name }) => name))
  const readable = attributes.filter(({ isPrivate }) => !isPrivate)
  const usual = usualMainFields.find(name => readable.some(one => one.name === name && textTypes.has(one.type)))
  const firstText = [...textTypes].flatMap(type => readable.find(one => one.type === type)?.name ?? [])[0]
  const isKnown = (name: string) => names.has(name) || ownAttributes.has(name)
  const configured = settings.mainField !== undefined && isKnown(settings.mainField) ? settings.mainField : undefined
  return {
    mainField: configured ?? usual ?? firstText ?? 'id',
    columns: settings.columns?.filter(isKnown) ?? null,
    sort: settings.sort ?? null,
    pageSize: settings.pageSize ?? null,
    layout: settings.layout ?? null,
    preview: settings.preview ?? null,
  }
}

/** Components are recognised by the text that stands first in them. */
const firstTextOf = (attributes: readonly Attribute[]): string =>
  attributes.find(({ type }) => /^(?:string|text|richtext|blocks)$/.test(type))?.name ?? 'id'

export const mayDo = ({ rights }: ContentType, action: Action): boolean => rights.actions.has(action)

export const isReadable = ({ readable }: TypeRights, name: string): boolean => readable?.has(name) ?? true

/** Returns whether a creation or an update accepts the attribute. */
const isFillable = (rights: TypeRights, name: string): boolean =>
  isTaken(rights, name, 'create') || isTaken(rights, name, 'update')

/** Returns whether a write of that kind accepts the attribute. */
export function isTaken(
  { actions, creatable, updatable }: TypeRights,
  name: string,
  action: 'create' | 'update',
): boolean {
  const names = action === 'create' ? creatable : updatable
  return actions.has(action) && (names?.has(name) ?? true)
}
