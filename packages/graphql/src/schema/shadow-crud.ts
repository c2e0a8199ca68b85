// Collects what applications switch off in the generated schema (B-9.90 to B-9.95, service.md): whole types, their
// queries or mutations, single actions, and attributes in output, input or filters. It knows neither the model nor the
// schema.

/** The actions of a type that can be switched off. */
export const shadowActions: readonly string[] = ['find', 'findOne', 'create', 'update', 'delete']

/** The settings of one attribute. Every call returns the same object. */
export class ShadowField {
  #output = true
  #input = true
  #filters = true

  disable(): this {
    return this.disableOutput().disableInput().disableFilters()
  }

  disableOutput(): this {
    this.#output = false
    return this
  }

  disableInput(): this {
    this.#input = false
    return this
  }

  disableFilters(): this {
    this.#filters = false
    return this
  }

  isEnabled(): boolean {
    return this.#output || this.#input || this.#filters
  }

  isDisabled(): boolean {
    return !this.isEnabled()
  }

  hasOutputEnabled(): boolean {
    return this.#output
  }

  hasInputEnabled(): boolean {
    return this.#input
  }

  hasFiltersEnabled(): boolean {
    return this.#filters
  }

  /** v4's spelling (B-9.94). */
  hasFiltersEnabeld(): boolean {
    return this.#filters
  }
}

/** The settings of one content type or component. Every call that switches something off returns the same object. */
export class ShadowType {
  #isEnabled = true
  #queries = true
  #mutations = true
  readonly #off = new Set<string>()
  readonly #fields = new Map<string, ShadowField>()

  disable(): this {
    this.#isEnabled = false
    return this
  }

  disableQueries(): this {
    this.#queries = false
    return this
  }

  disableMutations(): this {
    this.#mutations = false
    return this
  }

  /** `*` switches off all actions. */
  disableAction(action: string): this {
    if (action === '*') for (const one of shadowActions) this.#off.add(one)
    else this.#off.add(action)
    return this
  }

  disableActions(names: readonly string[]): this {
    for (const name of names) this.disableAction(name)
    return this
  }

  isEnabled(): boolean {
    return this.#isEnabled
  }

  isDisabled(): boolean {
    return !this.#isEnabled
  }

  areQueriesEnabled(): boolean {
    return this.#queries
  }

  areQueriesDisabled(): boolean {
    return !this.#queries
  }

  areMutationsEnabled(): boolean {
    return this.#mutations
  }

  areMutationsDisabled(): boolean {
    return !this.#mutations
  }

  isActionEnabled(action: string): boolean {
    return !this.#off.has(action)
  }

  isActionDisabled(action: string): boolean {
    return !this.isActionEnabled(action)
  }

  /** The actions that were switched off, for the check of their names. */
  get disabledActions(): ReadonlySet<string> {
    return this.#off
  }

  /** The names of the attributes whose settings were asked for. */
  get fieldNames(): Iterable<string> {
    return this.#fields.keys()
  }

  field(name: string): ShadowField {
    const field = this.#fields.get(name) ?? new ShadowField()
    this.#fields.set(name, field)
    return field
  }
}

/** The settings of all types, by uid. */
export class ShadowCrud {
  readonly #types = new Map<string, ShadowType>()

  of(uid: string): ShadowType {
    const type = this.#types.get(uid) ?? new ShadowType()
    this.#types.set(uid, type)
    return type
  }

  get uids(): Iterable<string> {
    return this.#types.keys()
  }
}
