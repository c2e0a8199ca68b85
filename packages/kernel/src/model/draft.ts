// A content type or component before the freeze, while `preModel` hooks may change it.

import { InvalidSchemaError, RegistrationError } from '../errors.ts'
import { suggestion } from '../nearest.ts'
import { checkSync, checkWords } from '../registration/checks.ts'
import type { Attribute, AttributeDefinition, ContentType, IndexDefinition, TypeOptions, Uid } from './content-type.ts'
import { creatorUid } from './creator.ts'
import { findMeantOption } from './definition.ts'
import { checkOnlineIndex } from './online-indexes.ts'

type ScopeOptions = { readonly isEqual: boolean }
type IndexOptions = { readonly unique?: boolean; readonly isOnline?: boolean }
type RetireOptions = { readonly entries: string }

interface TypeDraftInit
  extends Omit<
    TypeDraft,
    | 'attributes'
    | 'indexes'
    | 'scopes'
    | 'retired'
    | 'fills'
    | 'incompleteWith'
    | 'readonlyAttributes'
    | 'retyped'
    | 'attribute'
    | 'index'
    | 'scope'
    | 'retire'
    | 'fill'
    | 'incomplete'
    | 'presents'
    | 'present'
    | 'keep'
  > {
  readonly words: () => readonly string[]
}

/** A type before the freeze. Attributes keep the order in which they were added. */
export class TypeDraft {
  readonly uid: Uid
  readonly kind: ContentType['kind']
  /** The source of its schema, for messages. */
  readonly source: string
  readonly singularName: string
  readonly pluralName: string
  readonly displayName: string
  readonly globalId: string
  readonly table: string
  readonly info: Readonly<Record<string, unknown>>
  readonly options: TypeOptions
  readonly pluginOptions: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly internal: boolean
  /** True if its plugin has its own routes, so that transports add none. */
  readonly hasOwnRoutes: boolean
  /** The names of its actions that differ from `<uid>.<operation>`. */
  readonly actions: ContentType['actions']
  /** Former uids and tables. */
  readonly renamedFrom: readonly string[]
  readonly attributes = new Map<string, AttributeDefinition>()
  readonly indexes: IndexDefinition[] = []
  /** Attributes that rules test on every read; see `scope`. */
  readonly scopes: { readonly attribute: string; readonly isEqual: boolean }[] = []
  /** Datetimes that the type has no longer, with what the entries are called that they hide; see `retire`. */
  readonly retired = new Map<string, string>()
  /** Attributes that give a new column its values, by the attribute of the column; see `fill`. */
  readonly fills = new Map<string, readonly string[]>()
  /** The values of an entry that may lack required attributes; see `incomplete`. */
  incompleteWith: Readonly<Record<string, unknown>> | null = null
  /** Functions that return the values answered in place of stored ones, by attribute; see `present`. */
  readonly presents = new Map<string, (value: unknown) => unknown>()
  /** Names of attributes that the service sets and input cannot. */
  readonly readonlyAttributes = new Set<string>()

  /** Attributes of the schema whose type the service or a plugin has replaced, with the type that the schema has. */
  readonly retyped = new Map<string, string>()

  /** The allowed values of an attribute's `type`. */
  readonly #words: () => readonly string[]

  constructor(init: TypeDraftInit) {
    this.#words = init.words
    this.uid = init.uid
    this.kind = init.kind
    this.source = init.source
    this.singularName = init.singularName
    this.pluralName = init.pluralName
    this.displayName = init.displayName
    this.globalId = init.globalId
    this.table = init.table
    this.info = init.info
    this.options = init.options
    this.pluginOptions = init.pluginOptions
    this.internal = init.internal
    this.hasOwnRoutes = init.hasOwnRoutes
    this.actions = init.actions
    this.renamedFrom = init.renamedFrom
  }

  /**
   * Adds an attribute, or merges the options into those of an existing one. Throws RegistrationError for an unknown type
   * and for misspelt options.
   *
   * `writable: false`: values of callers are dropped, while hooks and code with all rights set it. `readonly`: hooks and
   * code cannot set it either; only `kernel.stamp` sets a datetime. `unique: false` holds for a `uid`, too.
   */
  attribute(name: string, definition: Partial<AttributeDefinition> & { readonly readonly?: boolean }): void {
    this.#checkAttribute(name, definition)
    const { readonly: isReadonly, ...options } = definition
    if (isReadonly) this.readonlyAttributes.add(name)
    const before = this.attributes.get(name)
    if (before !== undefined && options.type !== undefined && options.type !== before.type)
      this.retyped.set(name, this.retyped.get(name) ?? before.type)
    this.attributes.set(name, { ...before, ...options } as AttributeDefinition)
  }

  #checkAttribute(name: string, definition: Partial<AttributeDefinition>): void {
    const fail = this.#refusal(`attribute ${name}`)
    const { type } = definition
    for (const option of Object.keys(definition)) {
      const meant = option === 'readonly' ? null : findMeantOption(option)
      if (meant !== null) fail(`${option} is not known, did you mean "${meant}"?`)
    }
    if (type === undefined && !this.attributes.has(name))
      fail(`needs a type, because it is new${suggestion(name, this.attributes.keys())}`)
    if (type === undefined || this.#words().includes(type as string)) return
    fail(`unknown attribute type ${JSON.stringify(type)}${suggestion(String(type), this.#words())}`)
  }

  /**
   * Declares an attribute that a rule tests on every read: it is indexed for totals, and becomes a part of every index
   * that serves a sort, so that a page deep in a list is found in the index alone. `isEqual`: the rule compares with
   * one value.
   */
  scope(attribute: string, options: ScopeOptions): void {
    checkWords<ScopeOptions>(options, { isEqual: 'needed' }, this.#refusal(`scope ${attribute}`))
    this.scopes.push({ attribute, ...options })
  }

  /**
   * Declares a datetime that the type had while an option of the plugin was on, and in which null hid an entry. As long as
   * the table has its column, those entries stay hidden, new entries get the time of their creation, and the plan of
   * migrations has steps that show the hidden entries or delete them. `entries` is what they are called: `drafts`. Has no
   * effect if the type has an attribute of this name.
   */
  retire(attribute: string, options: RetireOptions): void {
    checkWords<RetireOptions>(options, { entries: 'needed' }, this.#refusal(`retire ${attribute}`))
    this.retired.set(attribute, options.entries)
  }

  /**
   * Declares where the entries that are in the table get their values of an attribute from when its column is added: from
   * the first of these attributes that is not null, or else the time of the migration. For datetimes.
   */
  fill(attribute: string, from: readonly string[]): void {
    this.fills.set(attribute, from)
  }

  /**
   * Declares the values of an entry that may lack required attributes. It only describes what the plugin's hooks decide
   * (`Write.completeness`), for types and documents that are written from the model.
   */
  incomplete(values: Readonly<Record<string, unknown>>): void {
    this.incompleteWith = values
  }

  /**
   * Declares what is answered to callers in place of the stored values of a scalar attribute, which are not null: `present`
   * receives a value, and must be quick and synchronous. Filters, sort keys and code with all rights see what is stored.
   * Throws RegistrationError for an attribute that does not exist.
   */
  present(attribute: string, present: (value: unknown) => unknown): void {
    const refuse = this.#refusal(`present ${attribute}`)
    if (!this.attributes.has(attribute))
      refuse(`there is no such attribute${suggestion(attribute, this.attributes.keys())}`)
    checkSync('present', present, refuse)
    this.presents.set(attribute, present)
  }

  #refusal(what: string): (fault: string) => never {
    return fault => {
      throw new RegistrationError('PLINTH_DEFINITION_INVALID', `${this.uid}: ${what}: ${fault}`)
    }
  }

  /**
   * Keeps what plugins declared on the draft that this one replaces.
   * @internal
   */
  keep(other: TypeDraft): void {
    this.indexes.push(...other.indexes)
    this.scopes.push(...other.scopes)
    for (const [name, entries] of other.retired) this.retired.set(name, entries)
    for (const [name, from] of other.fills) this.fills.set(name, from)
    for (const [name, present] of other.presents) this.presents.set(name, present)
    for (const name of other.readonlyAttributes) this.readonlyAttributes.add(name)
    this.incompleteWith = other.incompleteWith
  }

  /**
   * Adds an index over several attributes. `unique`: writes check it, and report a conflict at the first attribute.
   * `isOnline`: a server makes it after its start, while others read and write, or `plinth migrate apply` does; it may
   * name relations that have a column, one relation alone, and descending order (`publishedOn:desc`). It cannot be unique.
   */
  index(attributes: readonly string[], options: IndexOptions = {}): void {
    const refuse = this.#refusal(`index ${attributes.join(', ')}`)
    checkWords<IndexOptions>(options, { unique: 'optional', isOnline: 'optional' }, refuse)
    if (options.unique === true && options.isOnline === true) refuse('an index with isOnline cannot be unique')
    this.indexes.push({ attributes, ...options })
  }
}

/** Checks the indexes that plugins added. Throws InvalidSchemaError. */
export function checkIndexes(draft: TypeDraft, attributes: ReadonlyMap<string, Attribute>): void {
  for (const index of draft.indexes) {
    // One entry may contain a component twice.
    if (index.unique === true && draft.kind === 'component')
      throw new InvalidSchemaError(draft.source, '', 'a component cannot have a unique index')
    if (index.isOnline === true) {
      checkOnlineIndex(draft, index, attributes)
      continue
    }
    for (const name of index.attributes) {
      if (attributes.get(name)?.kind === 'scalar') continue
      const fault = `the index names "${name}", which is not a scalar attribute${suggestion(name, attributes.keys())}`
      throw new InvalidSchemaError(draft.source, attributes.has(name) ? `attributes.${name}` : '', fault)
    }
  }
}

/** Checks that the attribute from which a uid is generated exists (B-10.11). Throws InvalidSchemaError. */
export function checkTargetFields(draft: TypeDraft): void {
  for (const [name, { type, targetField }] of draft.attributes) {
    if (type !== 'uid' || targetField === undefined || targetField === null || targetField === '') continue
    if (typeof targetField === 'string' && draft.attributes.has(targetField)) continue
    const fault = `${draft.uid} has no attribute ${JSON.stringify(targetField)}`
    const hint = suggestion(String(targetField), draft.attributes.keys())
    throw new InvalidSchemaError(draft.source, `attributes.${name}.targetField`, fault + hint)
  }
}

/** Warns of attributes whose name is also that of an attribute of the service, or of a plugin. */
export function warnOfRetyped(draft: TypeDraft, warn: (message: string) => void): void {
  for (const [name, written] of draft.retyped) {
    const { type } = draft.attributes.get(name)!
    if (type === written) continue
    const fault = `"${name}" is an attribute of the service or of a plugin, with the type "${type}"`
    warn(
      `${draft.source}: attributes.${name}: ${fault}, which replaces "${written}"; give the own attribute another name`,
    )
  }
}

/** Warns of attributes that nothing could set: besides the service's own, `kernel.stamp` sets datetimes. */
export function warnOfUnsettable(draft: TypeDraft, warn: (message: string) => void): void {
  for (const name of draft.readonlyAttributes) {
    const { type, target } = draft.attributes.get(name)!
    if (type === 'datetime' || type === 'timestamp' || target === creatorUid) continue
    const fault = 'is readonly, so neither hooks nor code can set it'
    warn(`${draft.source}: attributes.${name}: ${fault}; "writable: false" drops the values of callers only`)
  }
}
