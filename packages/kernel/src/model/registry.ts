// The registry of content types and components: drafts until freeze(), frozen afterwards. It resolves definitions to
// attributes; relations.ts determines the tables of relations.

import camelCase from 'lodash/camelCase.js'
import upperFirst from 'lodash/upperFirst.js'
import { InvalidSchemaError, StartError, UsageError } from '../errors.ts'
import { suggestion } from '../nearest.ts'
import { columnName } from './naming.ts'
import { type AliasType, placeholderTypes, type ScalarType, scalarTypes } from './attribute-types.ts'
import { withBounds } from './bounds.ts'
import type { Attribute, AttributeDefinition, ContentType, Uid } from './content-type.ts'
import { creatorAttributes, creatorType } from './creator.ts'
import { refuseLiveNames, refuseSharedStorage } from './conflicts.ts'
import { type Extension, layOver } from './extension.ts'
import { checkIndexes, checkTargetFields, TypeDraft } from './draft.ts'
import { resolveRelation } from './relations.ts'
import { checkAttributeType } from './attribute-type-check.ts'
import { checkTypeSettings, type TypeSettings } from './type-settings.ts'
import { attributedMembers, blamingSync } from '../registration/blame.ts'
import { calledBy, Registrar, type Refuse } from '../registration/registrar.ts'
import { type ComponentSchema, type ContentTypeSchema, checkComponent, checkContentType } from './schema.ts'
import { checkPrivateNames, findNamesFault, ownTypeOptions, type TypeOptionSchemas } from './type-options.ts'

/** Attribute types that are not scalars. */
const structural = ['relation', 'component', 'dynamiczone', ...Object.keys(placeholderTypes)]

/** Called by `freeze` for every draft before it is closed. */
export type DraftListener = (draft: TypeDraft) => void

/** The model: `kernel.contentTypes` is a view of it. */
export class Registry {
  readonly #drafts = new Map<Uid, TypeDraft>()
  readonly #types = new Map<Uid, ContentType>()
  readonly #attributeTypes = new Map<string, ScalarType | AliasType>(Object.entries(scalarTypes))
  /** The plugins that replaced attribute types, by the name of the type. */
  readonly #replacedBy = new Map<string, string>()
  readonly #extensions: Extension[] = []
  readonly #typeOptions = new Map(Object.entries(ownTypeOptions))
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
  }

  /** Adds an attribute type, scalar or alias, before the freeze. Throws if the name is taken. */
  addAttributeType(word: string, type: ScalarType | AliasType): void {
    const refuse = this.#registrar.begin(`attribute type ${word}`)
    checkAttributeType(type, refuse)
    if (this.#attributeTypes.has(word)) refuse('already exists')
    this.#setAttributeType(word, type)
  }

  /**
   * Replaces an attribute type for all attributes, before the freeze; for a plugin that stores `password` in its own way.
   * Throws RegistrationError if there is no such type, if another plugin has replaced it, or if secrets would be shown.
   */
  replaceAttributeType(word: string, type: ScalarType | AliasType): void {
    const refuse: Refuse = this.#registrar.begin(`attribute type ${word}`)
    checkAttributeType(type, refuse)
    const known = this.#attributeTypes.get(word)
    if (known === undefined) refuse(`does not exist${suggestion(word, this.#attributeTypes.keys())}`)
    const other = this.#replacedBy.get(word)
    if (other !== undefined) refuse(`is already replaced by ${calledBy(other)}`)
    if (known !== undefined && isSecret(known) && !isSecret(type))
      refuse('secret must be true, because the values of the replaced type are never answered')
    this.#replacedBy.set(word, this.#registrar.plugin)
    this.#setAttributeType(word, type)
  }

  #setAttributeType(word: string, type: ScalarType | AliasType): void {
    const author = { plugin: this.#registrar.plugin, hook: `attribute type ${word}` }
    this.#attributeTypes.set(
      word,
      'as' in type
        ? { ...type, as: definition => blamingSync(author, () => type.as(definition)) }
        : attributedMembers(type, ['check', 'prepare'], author),
    )
  }

  /** Adds options of types with their schemas. They apply to content types that are added later. */
  addTypeOptions(options: TypeOptionSchemas): void {
    for (const [name, schema] of Object.entries(options)) this.#typeOptions.set(name, schema)
  }

  /** Adds prefixes of tables that have no type but are in use by a plugin or by another program. */
  addForeignTables(prefixes: readonly string[]): void {
    this.#foreignTables.push(...prefixes)
  }

  /** Whether a table without a type is used by a plugin or another program. A migration does not drop such a table. */
  isForeignTable(name: string): boolean {
    return this.#foreignTables.some(prefix => name.startsWith(prefix))
  }

  /** The allowed values of a definition's `type`. */
  get typeWords(): string[] {
    return [...this.#attributeTypes.keys(), ...structural]
  }

  get #checkTools() {
    return { typeWords: this.typeWords, typeOptions: this.#typeOptions, warn: this.#warn }
  }

  /** Adds a content type; `uid` defaults to `api::<singularName>.<singularName>`. Throws InvalidSchemaError. */
  add(schema: unknown, options: TypeSettings = {}): TypeDraft {
    const refuse = this.#registrar.begin('contentTypes.add')
    const given = options.uid ?? (schema as { uid?: Uid } | null)?.uid
    const source = options.file ?? given ?? 'content type'
    const checked: ContentTypeSchema = checkContentType(source, schema, this.#checkTools)
    const { info } = checked
    const uid = given ?? `api::${info.singularName}.${info.singularName}`
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
      const hint = suggestion(uid, this.#contentTypeUids()) || '; is its plugin enabled in config/plugins?'
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

  /** Closes the model: the listener may change drafts, then everything is resolved and frozen. */
  freeze(listen: DraftListener): void {
    const fault = findNamesFault(this.#privateAttributes)
    if (fault !== null)
      throw new StartError('PLINTH_CONFIG_INVALID', `config/api: responses.privateAttributes: ${fault}`)
    for (const one of this.#extensions) this.#extend(one)
    const wantsCreators = [...this.#drafts.values()].filter(draft => draft.options.populateCreatorFields === true)
    if (wantsCreators.length > 0) this.add(creatorType, { uid: 'admin::user', internal: true })
    for (const draft of this.#drafts.values()) {
      if (draft.kind !== 'component' && draft.uid !== 'admin::user') {
        draft.attribute('createdAt', { type: 'datetime', readonly: true })
        draft.attribute('updatedAt', { type: 'datetime', readonly: true })
      }
      listen(draft)
    }
    for (const draft of wantsCreators) for (const [name, one] of creatorAttributes) draft.attribute(name, one)
    for (const draft of this.#drafts.values()) {
      checkPrivateNames(draft, this.#warn)
      checkTargetFields(draft)
    }
    for (const draft of this.#drafts.values()) this.#types.set(draft.uid, this.#close(draft))
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
    const words = () => this.typeWords
    const draft = new TypeDraft({ words, source, uid, kind, info, options, pluginOptions, renamedFrom, ...names })
    for (const [name, definition] of Object.entries(attributes)) draft.attribute(name, definition)
    this.#drafts.set(uid, draft)
    return draft
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

  #close(draft: TypeDraft): ContentType {
    const attributes = new Map<string, Attribute>()
    for (const [name, definition] of draft.attributes) attributes.set(name, this.#attribute(draft, name, definition))
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
      indexes: draft.indexes,
      scopes: draft.scopes.toSorted((a, b) => Number(b.isEqual) - Number(a.isEqual)).map(one => one.attribute),
      attributes,
      hasComponents: all.some(one => one.kind === 'component' || one.kind === 'zone'),
    })
  }

  #attribute(draft: TypeDraft, name: string, written: AttributeDefinition): Attribute {
    const known = this.#attributeTypes.get(written.type)
    const definition = withBounds(
      known !== undefined && 'as' in known ? ({ ...written, ...known.as(written) } as AttributeDefinition) : written,
    )
    const hidden = [...(draft.options.privateAttributes ?? []), ...this.#privateAttributes]
    const scalar = this.#attributeTypes.get(definition.type) as ScalarType | undefined
    const base = {
      name,
      type: written.type,
      private: definition.private === true || hidden.includes(name) || scalar?.secret === true,
      required: definition.required === true,
      readonly: draft.readonlyAttributes.has(name),
      ...passageOf(known),
      definition,
    }
    const many = definition.repeatable === true || definition.multiple === true
    if (definition.type === 'relation') {
      const resolved = resolveRelation(
        draft,
        name,
        definition,
        uid => this.#drafts.get(uid),
        () => this.#contentTypeUids(),
      )
      if (resolved !== null) return { ...base, ...resolved }
    }
    const placeholder = placeholderTypes[definition.type]
    if (definition.type === 'relation' || placeholder !== undefined) {
      const isMany = many || /Many$/.test(String(definition.relation ?? ''))
      return { ...base, kind: 'dormant', many: isMany, isPopulatable: placeholder?.isPopulatable === true }
    }
    if (definition.type === 'component') {
      const component = this.#component(draft, `attributes.${name}.component`, definition.component as string)
      return { ...base, kind: 'component', component, many }
    }
    if (definition.type === 'dynamiczone') {
      const listed = definition.components as string[]
      const components = listed.map((uid, i) => this.#component(draft, `attributes.${name}.components.${i}`, uid))
      return { ...base, kind: 'zone', components }
    }
    return {
      ...base,
      kind: 'scalar',
      scalar: scalar!,
      column: typeof definition.columnName === 'string' ? definition.columnName : columnName(name),
      // A string selects a looser rule of a plugin; without the plugin, the attribute is unique.
      unique: definition.unique === true || typeof definition.unique === 'string' || scalar!.unique === true,
      indexed: definition.indexed === true,
    }
  }

  #contentTypeUids(): string[] {
    return [...this.#drafts.values()].filter(one => one.kind !== 'component').map(one => one.uid)
  }

  #component(draft: TypeDraft, path: string, uid: Uid): Uid {
    if (this.#drafts.get(uid)?.kind === 'component') return uid
    const known = [...this.#drafts.values()].filter(one => one.kind === 'component').map(one => one.uid)
    throw new InvalidSchemaError(draft.source, path, `unknown component "${uid}"${suggestion(uid, known)}`)
  }
}

/** Whether filters and sort keys may pass through an attribute of the type. */
function passageOf(type: ScalarType | AliasType | undefined): Pick<Attribute, 'isPassable' | 'isSortable'> {
  const { isPassable = true, isSortable = isPassable }: Omit<AliasType, 'as'> =
    type !== undefined && 'as' in type ? type : {}
  return { isPassable, isSortable }
}

function isSecret(type: ScalarType | AliasType): boolean {
  return 'secret' in type && type.secret === true
}

/** One name or several, as a list. */
function listOf(names: string | readonly string[] = []): readonly string[] {
  return typeof names === 'string' ? [names] : names
}
