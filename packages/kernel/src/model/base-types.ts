// The custom fields of a model: which attribute type each is stored, read and written as. Knows no field by its name;
// applications and plugins register them.

import { checkOneOf, checkWords, shown, type Words } from '../registration/checks.ts'
import { calledBy, type Registrar } from '../registration/registrar.ts'
import type { AttributeTypeSet } from './attribute-type-set.ts'
import type { Uid } from './content-type.ts'

/** The definition of a custom field, as a plugin registers it. */
export interface CustomField {
  /** The base type: the attribute type with which values are stored, validated, filtered and answered. */
  readonly type: string
  /**
   * True: it holds only if nobody registers the field without this, and if the column of the database, where there is
   * one, can hold such values. The first one of several holds. For what is generally known about a field, beside what
   * the application says.
   */
  readonly isFallback?: boolean
  /** The author of the definition, for reports. By default the plugin that registers the field. */
  readonly source?: string
}

/** A custom field that somebody has registered. */
export interface RegisteredField {
  readonly type: string
  readonly isFallback: boolean
  readonly source: string
}

/** An attribute that is a custom field, with the base type that it has got. */
export interface SettledField {
  readonly uid: Uid
  readonly attribute: string
  /** The name of the field, such as `plugin::color-picker.color`. */
  readonly customField: string
  readonly type: string
  /** True if nobody has registered the type, so that it follows from the column, or is text without a column. */
  readonly isGuessed: boolean
  /** The source of the type, as a part of a sentence. */
  readonly source: string
}

const words: Words<CustomField> = { type: 'needed', isFallback: 'optional', source: 'optional' }

/** The custom fields by name, as `kernel.customFields`. */
export class CustomFieldSet {
  readonly #registered = new Map<string, RegisteredField>()
  readonly #fallbacks = new Map<string, RegisteredField>()
  readonly #settled: SettledField[] = []
  readonly #types: AttributeTypeSet
  readonly #registrar: Registrar

  /** @internal */
  constructor(types: AttributeTypeSet, registrar: Registrar) {
    this.#types = types
    this.#registrar = registrar
  }

  /**
   * Registers the base type of a custom field, by the name that schemas have in `customField`, before the freeze. The
   * type is a scalar attribute type of the kernel or of a plugin, which may have a `check` of its own. Throws
   * RegistrationError for another type, and if the field is registered with another one and neither is a fallback.
   */
  add(name: string, field: CustomField): void {
    const refuse = this.#registrar.begin(`custom field ${name}`)
    if (typeof name !== 'string' || name === '') refuse(`the name must be a text, found ${shown(name)}`)
    checkWords<CustomField>(field, words, refuse)
    const { isFallback = false, source = calledBy(this.#registrar.plugin) } = field as unknown as CustomField
    if (typeof isFallback !== 'boolean') refuse(`isFallback must be true or false, found ${shown(isFallback)}`)
    checkOneOf('type', field.type, this.#types.scalarWords, refuse)
    const type = field.type as string
    const fields = isFallback ? this.#fallbacks : this.#registered
    const other = fields.get(name)
    if (!isFallback && other !== undefined && other.type !== type)
      refuse(`is already registered with the type "${other.type}" by ${other.source}`)
    if (other !== undefined) return
    fields.set(name, { type, isFallback, source })
  }

  /** The attributes of the model that are custom fields, with their base types; empty before the freeze. */
  get settled(): readonly SettledField[] {
    return this.#settled
  }

  /** @internal */
  settle(field: SettledField): void {
    this.#settled.push(field)
  }

  /**
   * Returns the registration of a field; undefined if there is none.
   * @internal
   */
  get(name: string): RegisteredField | undefined {
    return this.#registered.get(name) ?? this.#fallbacks.get(name)
  }
}
