// The words that plugins add to queries: parameters and filter operators. Knows neither how they are parsed nor how
// they are planned.

import { compileParameter, type Parameter, type ParameterDefinition } from '../plan/parameters.ts'
import { type Operator, operators } from '../query/operators.ts'
import { attributedMembers } from '../registration/blame.ts'
import type { Registrar } from '../registration/registrar.ts'
import { checkOperator, checkParameter } from './parameter-checks.ts'

/** The members of a parameter that are functions of the plugin. */
const ownFunctions = ['for', 'shape', 'plan', 'fallback', 'refuse'] as const

/** The query parameters of plugins, as `kernel.parameters`. */
export class QueryParameters {
  readonly #registrar: Registrar
  readonly #added = new Map<string, Parameter>()

  /** @internal */
  constructor(registrar: Registrar) {
    this.#registrar = registrar
  }

  /** Adds a parameter. Throws RegistrationError after the freeze, or for a definition that no query could use. */
  add(definition: ParameterDefinition): void {
    const refuse = this.#registrar.begin(`parameter ${definition?.name}`)
    checkParameter(definition, refuse)
    if (this.#added.has(definition.name)) refuse('already exists')
    const author = { plugin: this.#registrar.plugin, hook: `parameter ${definition.name}` }
    const { offer } = definition
    const own = attributedMembers(definition, ownFunctions, author)
    const offered = offer === undefined ? own : { ...own, offer: attributedMembers(offer, ['refuseLiteral'], author) }
    this.#added.set(definition.name, compileParameter(offered))
  }

  /** The parameters in the order in which they were added, for transports that list what can be sent. */
  values(): ParameterDefinition[] {
    return [...this.#added.values()].map(one => one.definition)
  }

  /** @internal */
  get compiled(): ReadonlyMap<string, Parameter> {
    return this.#added
  }
}

/** The filter operators of the kernel and of plugins, as `kernel.operators`. */
export class QueryOperators {
  readonly #registrar: Registrar
  readonly #operators = new Map<string, Operator>(operators.map(one => [one.name, one]))

  /** @internal */
  constructor(registrar: Registrar) {
    this.#registrar = registrar
  }

  /** Adds an operator. Throws RegistrationError after the freeze, or for a definition that no filter could use. */
  add(operator: Operator): void {
    const refuse = this.#registrar.begin(`operator ${operator?.name}`)
    checkOperator(operator, refuse)
    if (this.#operators.has(operator.name)) refuse('already exists')
    const author = { plugin: this.#registrar.plugin, hook: `operator ${operator.name}` }
    this.#operators.set(operator.name, attributedMembers(operator, ['sql', 'encode'], author))
  }

  values(): Operator[] {
    return [...this.#operators.values()]
  }

  /** @internal */
  get byName(): ReadonlyMap<string, Operator> {
    return this.#operators
  }
}
