// A content type or component before the freeze, while `preModel` hooks may change it.

import { InvalidSchemaError, RegistrationError } from '../errors.ts'
import { suggestion } from '../nearest.ts'
import type { Attribute, AttributeDefinition, ContentType, IndexDefinition, TypeOptions, Uid } from './content-type.ts'

interface TypeDraftInit
  extends Omit<
    TypeDraft,
    'attributes' | 'indexes' | 'scopes' | 'readonlyAttributes' | 'attribute' | 'index' | 'scope' | 'keep'
  > {
  readonly words: () => readonly string[]
}

/** A type before the freeze. Attributes keep the order in which they were added. */
export class TypeDraft {
  readonly uid: Uid
  readonly kind: ContentType['kind']
  /** Where it was read, for messages. */
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
  /** Whether its plugin has its own routes, so that transports add none. */
  readonly hasOwnRoutes: boolean
  /** The names of its actions that differ from `<uid>.<operation>`. */
  readonly actions: ContentType['actions']
  /** Former uids and tables. */
  readonly renamedFrom: readonly string[]
  readonly attributes = new Map<string, AttributeDefinition>()
  readonly indexes: IndexDefinition[] = []
  /** Attributes that rules test on every read; see `scope`. */
  readonly scopes: { readonly attribute: string; readonly isEqual: boolean }[] = []
  /** Names of attributes that the service sets and input cannot. */
  readonly readonlyAttributes = new Set<string>()

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

  /** Adds an attribute, or merges the options into those of an existing one. */
  attribute(name: string, definition: Partial<AttributeDefinition> & { readonly readonly?: boolean }): void {
    this.#checkAttribute(name, definition?.type)
    const { readonly: isReadonly, ...options } = definition
    if (isReadonly) this.readonlyAttributes.add(name)
    this.attributes.set(name, { ...this.attributes.get(name), ...options } as AttributeDefinition)
  }

  #checkAttribute(name: string, type: unknown): void {
    const fail = (fault: string) => {
      throw new RegistrationError('PLINTH_DEFINITION_INVALID', `${this.uid}: attribute ${name}: ${fault}`)
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
  scope(attribute: string, options: { readonly isEqual: boolean }): void {
    this.scopes.push({ attribute, ...options })
  }

  /**
   * Keeps what plugins declared on the draft that this one replaces.
   * @internal
   */
  keep(other: TypeDraft): void {
    this.indexes.push(...other.indexes)
    this.scopes.push(...other.scopes)
    for (const name of other.readonlyAttributes) this.readonlyAttributes.add(name)
  }

  /** Adds an index over several attributes. `unique`: writes check it, and report a conflict at the first attribute. */
  index(attributes: readonly string[], options: { readonly unique?: boolean } = {}): void {
    this.indexes.push({ attributes, ...options })
  }
}

/** Checks the indexes that plugins added. Throws InvalidSchemaError. */
export function checkIndexes(draft: TypeDraft, attributes: ReadonlyMap<string, Attribute>): void {
  for (const index of draft.indexes) {
    // One entry may contain a component twice.
    if (index.unique === true && draft.kind === 'component')
      throw new InvalidSchemaError(draft.source, '', 'a component cannot have a unique index')
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
