// The attribute types of a model: those of the kernel, and those that plugins add or put in their place.

import { suggestion } from '../nearest.ts'
import { attributedMembers, blamingSync } from '../registration/blame.ts'
import { calledBy, type Refuse, type Registrar } from '../registration/registrar.ts'
import { checkAttributeType } from './attribute-type-check.ts'
import { type AliasType, placeholderTypes, type ScalarType, scalarTypes, usualOptions } from './attribute-types.ts'

/** Attribute types that are not scalars. */
const structural = ['relation', 'component', 'dynamiczone', 'customField', ...Object.keys(placeholderTypes)]

/** Types that have a column, but no implementation until a plugin adds one. */
const requiredWords = Object.keys(placeholderTypes).filter(word => 'plugin' in placeholderTypes[word]!)

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

  /** The allowed values of a definition's `type`. */
  get words(): string[] {
    return [...this.#types.keys(), ...structural]
  }

  /**
   * The names of the types that have a column, including those whose plugin may register later.
   * @internal
   */
  get scalarWords(): string[] {
    const present = [...this.#types].flatMap(([word, type]) => ('storage' in type ? [word] : []))
    return [...new Set([...present, ...requiredWords])]
  }

  /** The names of options that are never refused as misspelt, such as those of v4's tools. */
  get usualOptions(): readonly string[] {
    return usualOptions
  }

  /** Adds an attribute type, scalar or alias, before the freeze. Throws if the name is taken. */
  add(word: string, type: ScalarType | AliasType): void {
    const refuse = this.#registrar.begin(`attribute type ${word}`)
    checkAttributeType(type, refuse)
    if (this.#types.has(word)) refuse('already exists')
    checkSecrecy(placeholderTypes[word], type, refuse)
    this.#set(word, type)
  }

  /**
   * Replaces an attribute type for all attributes, before the freeze; for a plugin that stores the values of a type in its
   * own way, whether another plugin has added the type or none. Throws RegistrationError if there is no such type, if
   * another plugin has replaced it, or if secrets would be shown.
   */
  replace(word: string, type: ScalarType | AliasType): void {
    const refuse: Refuse = this.#registrar.begin(`attribute type ${word}`)
    checkAttributeType(type, refuse)
    const replaced = this.#types.get(word) ?? placeholderTypes[word]
    if (replaced === undefined) refuse(`does not exist${suggestion(word, this.#replaceable)}`)
    const other = this.#replacedBy.get(word)
    if (other !== undefined) refuse(`is already replaced by ${calledBy(other)}`)
    checkSecrecy(replaced, type, refuse)
    this.#replacedBy.set(word, this.#registrar.plugin)
    this.#set(word, type)
  }

  get #replaceable(): string[] {
    return [...this.#types.keys(), ...Object.keys(placeholderTypes)]
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

/** Refuses a type that would show what the one in whose place it is put keeps secret. */
function checkSecrecy(replaced: object | undefined, type: ScalarType | AliasType, refuse: Refuse): void {
  if (replaced !== undefined && isSecret(replaced) && !isSecret(type))
    refuse('secret must be true, because the values of the replaced type are never answered')
}

const isSecret = (type: object): boolean => 'secret' in type && type.secret === true
