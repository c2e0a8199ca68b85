// Decides which content types, components and attributes the generated schema contains (B-9.41), from the model and from
// what the application switched off.

import {
  type Attribute,
  type ContentType,
  type Registry,
  type RelationAttribute,
  suggestion,
  UsageError,
} from '@plinth/kernel'
import { type ShadowCrud, shadowActions } from './shadow-crud.ts'

/** The part of the model that the schema shows. */
export class ExposedModel {
  readonly #registry: Pick<Registry, 'values' | 'get'>
  readonly #shadow: ShadowCrud

  /** Throws UsageError if a setting names a type, an action or an attribute that does not exist. */
  constructor(registry: Pick<Registry, 'values' | 'get'>, shadow: ShadowCrud) {
    this.#registry = registry
    this.#shadow = shadow
    this.#check()
  }

  /** The content types: those of the application, then those of plugins, each in the order of the registry. */
  get contentTypes(): ContentType[] {
    const types = [...this.#registry.values()].filter(type => type.kind !== 'component' && this.has(type))
    const isOwn = ({ uid }: ContentType) => uid.startsWith('api::')
    return [...types.filter(isOwn), ...types.filter(type => !isOwn(type))]
  }

  /** All content types and components: the members of a polymorphic relation (B-9.50). */
  get all(): ContentType[] {
    return [...this.#registry.values()].filter(type => this.has(type))
  }

  /** The type with this uid, if the schema shows it. */
  get(uid: string): ContentType | null {
    const type = this.#registry.get(uid)
    return type !== undefined && this.has(type) ? type : null
  }

  has(type: ContentType): boolean {
    // Components are internal, because they have no operations.
    const isShown = type.kind === 'component' || !type.internal
    return isShown && this.#shadow.of(type.uid).isEnabled()
  }

  shadowOf(type: ContentType) {
    return this.#shadow.of(type.uid)
  }

  /** The attributes that can be selected. Secrets never are (security.md row 12b). */
  outputs(type: ContentType): Attribute[] {
    const shadow = this.#shadow.of(type.uid)
    return attributesOf(type).filter(
      one =>
        !one.private &&
        !(one.kind === 'scalar' && one.scalar.secret === true) &&
        this.#leadsSomewhere(one) &&
        !isMorphTarget(one) &&
        shadow.field(one.name).hasOutputEnabled(),
    )
  }

  /** The attributes that can be written. */
  inputs(type: ContentType): Attribute[] {
    const shadow = this.#shadow.of(type.uid)
    return attributesOf(type).filter(
      one =>
        !one.readonly &&
        this.#leadsSomewhere(one) &&
        !isMorphTarget(one) &&
        !isMorphSource(one) &&
        shadow.field(one.name).hasInputEnabled(),
    )
  }

  /** The attributes that filters may name. Private ones are refused when they are used (B-9.41). */
  filters(type: ContentType): Attribute[] {
    const shadow = this.#shadow.of(type.uid)
    return attributesOf(type).filter(one => {
      if (one.kind === 'zone' || one.kind === 'dormant' || !shadow.field(one.name).hasFiltersEnabled()) return false
      if (one.kind === 'component') return this.#leadsSomewhere(one)
      if (one.kind !== 'relation') return true
      return one.isPassable && !isMorphSource(one) && !isMorphTarget(one) && this.#leadsSomewhere(one)
    })
  }

  /** Returns whether entries can be filtered by their id. */
  hasIdFilter(type: ContentType): boolean {
    return type.kind === 'collectionType' && this.#shadow.of(type.uid).field('id').hasFiltersEnabled()
  }

  #leadsSomewhere(attribute: Attribute): boolean {
    if (attribute.kind === 'dormant') return false
    if (attribute.kind === 'component') return this.get(attribute.component) !== null
    return attribute.kind !== 'relation' || attribute.target === null || this.get(attribute.target) !== null
  }

  #check(): void {
    const uids = [...this.#registry.values()].map(type => type.uid)
    for (const uid of this.#shadow.uids) {
      const type = this.#registry.get(uid)
      if (type === undefined)
        throw new UsageError(
          'PLINTH_TYPE_UNKNOWN',
          `shadowCRUD('${uid}'): there is no such content type or component${suggestion(uid, uids)}`,
        )
      for (const name of this.#shadow.of(uid).disabledActions)
        if (!shadowActions.includes(name))
          throw new UsageError(
            'PLINTH_ACTION_UNKNOWN',
            `shadowCRUD('${uid}').disableAction('${name}'): there is no such action${suggestion(name, shadowActions)}; there are ${shadowActions.join(', ')}, and * for all`,
          )
      for (const name of this.#shadow.of(uid).fieldNames)
        if (name !== 'id' && !type.attributes.has(name))
          throw new UsageError(
            'PLINTH_ATTRIBUTE_UNKNOWN',
            `shadowCRUD('${uid}').field('${name}'): there is no such attribute${suggestion(name, type.attributes.keys())}`,
          )
    }
  }
}

const attributesOf = (type: ContentType): Attribute[] => [...type.attributes.values()]

/** A relation written as such from which entries of any type are reached, which v4 does not show (B-9.41). */
function isMorphTarget(attribute: Attribute): boolean {
  return (
    attribute.kind === 'relation' &&
    attribute.type === 'relation' &&
    (attribute.relation === 'morphOne' || attribute.relation === 'morphMany')
  )
}

/** A relation that may lead to entries of any type. */
function isMorphSource(attribute: Attribute): attribute is RelationAttribute {
  return attribute.kind === 'relation' && attribute.target === null
}
