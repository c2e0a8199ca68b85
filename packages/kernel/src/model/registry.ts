// The registry of content types and components: drafts until freeze(), frozen afterwards. close-draft.ts resolves their
// attributes.

import camelCase from 'lodash/camelCase.js'
import upperFirst from 'lodash/upperFirst.js'
import type { TSchema } from '#typebox'
import { InvalidSchemaError, StartError, UsageError } from '../errors.ts'
import { suggestion } from '../nearest.ts'
import { calledBy, Registrar } from '../registration/registrar.ts'
import { AttributeTypeSet } from './attribute-type-set.ts'
import { CustomFieldSet } from './base-types.ts'
import { closeDraft, contentTypeUids } from './close-draft.ts'
import { refuseLiveNames, refuseSharedStorage } from './conflicts.ts'
import type { AttributeDefinition, ContentType, Uid } from './content-type.ts'
import { creatorAttributes, creatorType, creatorUid } from './creator.ts'
import { type Divergence, noDivergence } from './divergence.ts'
import { checkTargetFields, TypeDraft, warnOfRetyped, warnOfUnsettable } from './draft.ts'
import { type Extension, layOver } from './extension.ts'
import { type MendedRelation, mendRelations } from './mend-relations.ts'
import { addConfiguredIndexes, type ConfiguredIndexes } from './online-indexes.ts'
import { checkPluginOptions, type PluginOptionSchemas } from './plugin-options.ts'
import { type ComponentSchema, type ContentTypeSchema, checkComponent, checkContentType } from './schema.ts'
import { type FindColumn, isUnsettled, noColumn, settleFields } from './settle-fields.ts'
import {
  checkPrivateNames,
  findNamesFault,
  ownTypeOptions,
  type TypeOptionSchemas,
  warnOfPrivateNames,
} from './type-options.ts'
import { checkTypeSettings, type TypeSettings } from './type-settings.ts'

/** Called by `freeze` for every draft before it is closed. */
export type DraftListener = (draft: TypeDraft) => void

/** The model: `kernel.contentTypes` is a view of it. */
export class Registry {
  /**
   * The attribute types that definitions may name.
   * @internal
   */
  readonly attributeTypes: AttributeTypeSet
  /** The base types of custom fields. */
  readonly customFields: CustomFieldSet
  /**
   * In what the database differs from the model; set by the start, before anything is read or written.
   * @internal
   */
  divergence: Divergence = noDivergence
  /** The relations whose sides do not name each other as they should, and that are served as v4 serves them. */
  mended: readonly MendedRelation[] = []
  /**
   * The indexes of config/database, which the freeze adds to their types.
   * @internal
   */
  configuredIndexes: ConfiguredIndexes = {}
  readonly #drafts = new Map<Uid, TypeDraft>()
  readonly #types = new Map<Uid, ContentType>()
  readonly #extensions: Extension[] = []
  readonly #typeOptions = new Map(Object.entries(ownTypeOptions))
  readonly #pluginOptions = new Map<string, TypeOptionSchemas>()
  readonly #foreignTables: string[] = []
  readonly #warn: (message: string) => void
  readonly #privateAttributes: readonly string[]
  readonly #registrar: Registrar

  constructor(
    warn: (message: string) => void,
    privateAttributes: readonly string[] = [],
    registrar: Registrar = new Registrar(),
  ) {
    this.#warn = warn
    this.#privateAttributes = privateAttributes
    this.#registrar = registrar
    this.attributeTypes = new AttributeTypeSet(registrar)
    this.customFields = new CustomFieldSet(this.attributeTypes, registrar)
  }

  /** The schemas of the options of types, by name: those of the kernel and of plugins. */
  get typeOptions(): ReadonlyMap<string, TSchema> {
    return this.#typeOptions
  }

  /** The schemas of what plugins read of `pluginOptions`, by the plugin, then by the option. */
  get pluginOptions(): PluginOptionSchemas {
    return this.#pluginOptions
  }

  /** Adds options of types with their schemas. They apply to content types that are added later. */
  addTypeOptions(options: TypeOptionSchemas): void {
    this.#registrar.begin('contentTypes.addTypeOptions')
    for (const [name, schema] of Object.entries(options)) this.#typeOptions.set(name, schema)
  }

  /** Adds what a plugin reads of the `pluginOptions` of types and attributes; checked at the freeze. */
  addPluginOptions(plugin: string, options: TypeOptionSchemas): void {
    this.#registrar.begin('contentTypes.addPluginOptions')
    this.#pluginOptions.set(plugin, options)
  }

  /** Adds prefixes of tables that have no type but are in use by a plugin or by another program. */
  addForeignTables(prefixes: readonly string[]): void {
    this.#registrar.begin('contentTypes.addForeignTables')
    this.#foreignTables.push(...prefixes)
  }

  /**
   * Returns whether a table without a type is used by a plugin or another program. A migration does not drop such a
   * table.
   */
  isForeignTable(name: string): boolean {
    return this.#foreignTables.some(prefix => name.startsWith(prefix))
  }

  get #checkTools() {
    return { typeWords: this.attributeTypes.words, typeOptions: this.#typeOptions, warn: this.#warn }
  }

  /** Adds a content type; `uid` defaults to `api::<singularName>.<singularName>`. Throws InvalidSchemaError. */
  add(schema: unknown, options: TypeSettings = {}): TypeDraft {
    const refuse = this.#registrar.begin('contentTypes.add')
    const declaredUid = options.uid ?? (schema as { uid?: Uid } | null)?.uid
    const source = options.file ?? declaredUid ?? 'content type'
    const checked: ContentTypeSchema = checkContentType(source, schema, this.#checkTools)
    const { info } = checked
    const uid = declaredUid ?? `api::${info.singularName}.${info.singularName}`
    const { internal = false, routes, actions = {} } = options
    checkTypeSettings(options, checked.kind ?? 'collectionType', refuse)
    this.#refuseTwin(source, uid, info)
    return this.#openType(source, uid, checked, { internal, hasOwnRoutes: routes === 'own', actions })
  }

  /**
   * Lays a schema over that of a content type of a plugin, as v4 does (B-13.117): each key of the schema replaces that key
   * of the type, so `attributes` replaces all attributes. It takes effect after all plugins have registered. A start fails
   * with InvalidSchemaError if there is no such type, or if an attribute that its plugin needs is missing or of another
   * type. What the plugin keeps private stays private.
   */
  extend(uid: Uid, schema: unknown, options: { readonly file?: string } = {}): void {
    this.#registrar.begin('contentTypes.extend')
    const source = options.file ?? `${calledBy(this.#registrar.plugin)}: contentTypes.extend "${uid}"`
    this.#extensions.push({ uid, schema, source })
  }

  #extend(extension: Extension): void {
    const { uid, source } = extension
    const draft = this.#drafts.get(uid)
    if (draft === undefined || draft.kind === 'component') {
      const hint = suggestion(uid, contentTypeUids(this.#drafts)) || '; is its plugin enabled in config/plugins?'
      throw new InvalidSchemaError(source, '', `there is no content type "${uid}" to extend${hint}`)
    }
    const checked = checkContentType(source, layOver(draft, extension), this.#checkTools)
    const { internal, hasOwnRoutes, actions } = draft
    this.#openType(source, uid, checked, { internal, hasOwnRoutes, actions }).keep(draft)
  }

  #openType(
    source: string,
    uid: Uid,
    checked: ContentTypeSchema,
    settings: Pick<TypeDraft, 'internal' | 'hasOwnRoutes' | 'actions'>,
  ): TypeDraft {
    const { info } = checked
    return this.#open(source, uid, checked.kind ?? 'collectionType', checked, {
      ...settings,
      singularName: info.singularName,
      pluralName: info.pluralName,
      displayName: info.displayName,
      globalId: checked.globalId ?? upperFirst(camelCase(info.singularName)),
      table: checked.collectionName ?? info.singularName.replaceAll('-', '_'),
    })
  }

  /** Adds a component; its `uid` is `<category>.<name>`. Throws InvalidSchemaError. */
  addComponent(schema: unknown, uid: Uid, file: string = uid): TypeDraft {
    this.#registrar.begin(`component ${uid}`)
    const checked: ComponentSchema = checkComponent(file, schema, this.#checkTools)
    if (!/^[\w-]+\.[\w-]+$/.test(uid)) throw new InvalidSchemaError(file, 'uid', 'must be <category>.<name>')
    if (this.#drafts.has(uid)) throw new InvalidSchemaError(file, '', `the component "${uid}" already exists`)
    const name = uid.slice(uid.indexOf('.') + 1)
    return this.#open(file, uid, 'component', checked, {
      singularName: name,
      pluralName: `${name}s`,
      displayName: String(checked.info?.displayName ?? name),
      globalId: checked.globalId ?? `Component${upperFirst(camelCase(uid.replace('.', '_')))}`,
      table: checked.collectionName,
      internal: true,
      hasOwnRoutes: false,
      actions: {},
    })
  }

  /**
   * True if a schema has a custom field, so that its column may decide about its type.
   * @internal
   */
  get hasCustomFields(): boolean {
    const extended = this.#extensions.flatMap(({ schema }) =>
      Object.values((schema as Partial<ContentTypeSchema> | null)?.attributes ?? {}),
    )
    const own = [...this.#drafts.values()].flatMap(draft => [...draft.attributes.values()])
    return [...own, ...extended].some(isUnsettled)
  }

  /**
   * Closes the model: custom fields get their base types, the listener may change drafts, then everything is resolved and
   * frozen.
   */
  freeze(listen: DraftListener, findColumn: FindColumn = noColumn): void {
    const fault = findNamesFault(this.#privateAttributes)
    if (fault !== null)
      throw new StartError('PLINTH_CONFIG_INVALID', `config/api: responses.privateAttributes: ${fault}`)
    for (const one of this.#extensions) this.#extend(one)
    const sources = { fields: this.customFields, types: this.attributeTypes, findColumn, warn: this.#warn }
    for (const draft of this.#drafts.values()) settleFields(draft, sources)
    const wantsCreators = [...this.#drafts.values()].filter(draft => draft.options.populateCreatorFields === true)
    if (wantsCreators.length > 0) this.add(creatorType, { uid: creatorUid, internal: true })
    for (const draft of this.#drafts.values()) {
      if (draft.kind !== 'component' && draft.uid !== creatorUid) {
        draft.attribute('createdAt', { type: 'datetime', readonly: true })
        draft.attribute('updatedAt', { type: 'datetime', readonly: true })
      }
      listen(draft)
      // A plugin may have added one.
      settleFields(draft, sources)
    }
    for (const draft of wantsCreators) for (const [name, one] of creatorAttributes) draft.attribute(name, one)
    addConfiguredIndexes(this.#drafts, this.configuredIndexes)
    for (const draft of this.#drafts.values()) {
      checkPrivateNames(draft, this.#warn)
      checkTargetFields(draft)
      warnOfRetyped(draft, this.#warn)
      warnOfUnsettable(draft, this.#warn)
      checkPluginOptions(draft, this.#pluginOptions, this.#warn)
    }
    warnOfPrivateNames(this.#privateAttributes, this.#drafts, this.#warn)
    const model = {
      drafts: this.#drafts,
      attributeTypes: this.attributeTypes,
      privateAttributes: this.#privateAttributes,
    }
    this.mended = mendRelations(this.#drafts)
    for (const { uid, attribute, why } of this.mended)
      this.#warn(`${this.#drafts.get(uid)!.source}: attributes.${attribute}: ${why}`)
    for (const draft of this.#drafts.values()) this.#types.set(draft.uid, closeDraft(draft, model))
    const drafts = [...this.#drafts.values()]
    refuseSharedStorage(drafts, this.#types)
    refuseLiveNames(drafts)
  }

  /** The type or component with this uid; undefined before the freeze and for unknown uids. */
  get(uid: Uid): ContentType | undefined {
    return this.#types.get(uid)
  }

  /** Like get(), but throws UsageError with the nearest known uid. */
  require(uid: Uid): ContentType {
    const type = this.#types.get(uid)
    if (type === undefined)
      throw new UsageError('PLINTH_TYPE_UNKNOWN', `Unknown content type "${uid}"${suggestion(uid, this.#types.keys())}`)
    return type
  }

  /** All types and components, in the order they were added. */
  values(): ContentType[] {
    return [...this.#types.values()]
  }

  #open(
    source: string,
    uid: Uid,
    kind: ContentType['kind'],
    schema: ContentTypeSchema | ComponentSchema,
    names: Pick<
      TypeDraft,
      'singularName' | 'pluralName' | 'displayName' | 'globalId' | 'table' | 'internal' | 'hasOwnRoutes' | 'actions'
    >,
  ): TypeDraft {
    const { info = {}, options = {}, pluginOptions = {}, attributes } = schema
    const renamedFrom = listOf(schema.renamedFrom)
    const words = () => this.attributeTypes.words
    const draft = new TypeDraft({ words, source, uid, kind, info, options, pluginOptions, renamedFrom, ...names })
    for (const [name, definition] of Object.entries(attributes))
      draft.attribute(name, this.#withUnique(definition, `${source}: attributes.${name}`))
    this.#drafts.set(uid, draft)
    return draft
  }

  /** A schema cannot take uniqueness from a type that is always unique (B-10.11). */
  #withUnique(definition: AttributeDefinition, place: string): AttributeDefinition {
    const type = this.attributeTypes.get(definition.type)
    if (definition.unique !== false || type === undefined || !('unique' in type) || type.unique !== true)
      return definition
    this.#warn(`${place}.unique: has no effect, because the type "${definition.type}" is always unique`)
    return { ...definition, unique: true }
  }

  #refuseTwin(source: string, uid: Uid, info: ContentTypeSchema['info']): void {
    for (const other of this.#drafts.values()) {
      if (other.uid === uid) throw new InvalidSchemaError(source, '', `the content type "${uid}" already exists`)
      if (other.kind === 'component' || !uid.startsWith('api::') || !other.uid.startsWith('api::')) continue
      for (const key of ['singularName', 'pluralName'] as const) {
        if (info[key] === other.singularName || info[key] === other.pluralName) {
          throw new InvalidSchemaError(source, `info.${key}`, `"${info[key]}" is already used by ${other.uid}`)
        }
      }
    }
  }
}

/** One name or several, as a list. */
function listOf(names: string | readonly string[] = []): readonly string[] {
  return typeof names === 'string' ? [names] : names
}
