// The attribute types of a model: those of the kernel, and those that plugins add or put in their place.

import { suggestion } from '../nearest.ts'
import { attributedMembers, blamingSync } from '../registration/blame.ts'
import { calledBy, type Refuse, type Registrar } from '../registration/registrar.ts'
import { checkAttributeType } from './attribute-type-check.ts'
import { type AliasType, placeholderTypes, type ScalarType, scalarTypes } from './attribute-types.ts'

/** Attribute types that are not scalars. */
const structural = ['relation', 'component', 'dynamiczone', 'customField', ...Object.keys(placeholderTypes)]

/** The attribute types by name, as `kernel.attributeTypes`. */
export class AttributeTypeSet {
  readonly #types = new Map<string, ScalarType | AliasType>(Object.entries(scalarTypes))
  /** The plugins that replaced attribute types, by the name of the type. */
  readonly #replacedBy = new Map<string, string>()
  readonly #registrar: Registrar

  /** @internal */
  constructor(registrar: Registrar) {
    this.#registrar = registrar
  }

  /**
   * The type of this name, if it is a scalar or an alias.
   * @internal
   */
  get(word: string): ScalarType | AliasType | undefined {
    return this.#types.get(word)
  }

  /**
   * The allowed values of a definition's `type`.
   * @internal
   */
  get words(): string[] {
    return [...this.#types.keys(), ...structural]
  }

  /**
   * The names of the types that have a column.
   * @internal
   */
  get scalarWords(): string[] {
    return [...this.#types].flatMap(([word, type]) => ('storage' in type ? [word] : []))
  }

  /** Adds an attribute type, scalar or alias, before the freeze. Throws if the name is taken. */
  add(word: string, type: ScalarType | AliasType): void {
    const refuse = this.#registrar.begin(`attribute type ${word}`)
    checkAttributeType(type, refuse)
    if (this.#types.has(word)) refuse('already exists')
    this.#set(word, type)
  }

  /**
   * Replaces an attribute type for all attributes, before the freeze; for a plugin that stores `password` in its own way.
   * Throws RegistrationError if there is no such type, if another plugin has replaced it, or if secrets would be shown.
   */
  replace(word: string, type: ScalarType | AliasType): void {
    const refuse: Refuse = this.#registrar.begin(`attribute type ${word}`)
    checkAttributeType(type, refuse)
    const known = this.#types.get(word)
    if (known === undefined) refuse(`does not exist${suggestion(word, this.#types.keys())}`)
    const other = this.#replacedBy.get(word)
    if (other !== undefined) refuse(`is already replaced by ${calledBy(other)}`)
    if (known !== undefined && isSecret(known) && !isSecret(type))
      refuse('secret must be true, because the values of the replaced type are never answered')
    this.#replacedBy.set(word, this.#registrar.plugin)
    this.#set(word, type)
  }

  #set(word: string, type: ScalarType | AliasType): void {
    const author = { plugin: this.#registrar.plugin, hook: `attribute type ${word}` }
    this.#types.set(
      word,
      'as' in type
        ? { ...type, as: definition => blamingSync(author, () => type.as(definition)) }
        : attributedMembers(type, ['check', 'prepare'], author),
    )
  }
}

function isSecret(type: ScalarType | AliasType): boolean {
  return 'secret' in type && type.secret === true
}
