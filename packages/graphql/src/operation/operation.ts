// One operation of a document: its variables, its selections, and the syntax tree by which mercurius executes it. It is
// kept with its document.

import {
  type DocumentNode,
  getVariableValues,
  GraphQLError,
  Kind,
  type OperationTypeNode,
  separateOperations,
  visit,
} from 'graphql'
import type { Variables } from './arguments.ts'
import { hasCompilableTypes, hasCompilableVariables } from './compilable.ts'
import type { Size } from './limits.ts'
import { type OperationSource, readOperation } from './reader.ts'
import type { OperationSelection } from './selection.ts'

/** So many combinations of the variables of `@skip` and `@include` are kept. */
const maxSelections = 16

/** What is known of an operation beside its text. */
interface OperationAbout {
  readonly size: Size
  /** Whether errors of variables name similar words of the schema. */
  readonly suggestions: boolean
  /** Its document, if that has no other operation. */
  readonly document: DocumentNode | null
}

/** An operation of a document that is valid. */
export class Operation {
  readonly kind: OperationTypeNode
  readonly size: Size
  readonly #source: OperationSource
  readonly #suggestions: boolean
  /** The operation alone with its fragments: mercurius keeps what it compiles by document, whatever the name. */
  readonly document: DocumentNode
  /** The variables that decide which fields are selected. */
  readonly #switches: readonly string[]
  readonly #selections = new Map<string, OperationSelection>()
  #isCompilable: boolean | null = null

  constructor(source: OperationSource, { size, suggestions, document }: OperationAbout) {
    this.#source = source
    this.#suggestions = suggestions
    this.kind = source.operation.operation
    this.size = size
    this.document = document ?? alone(source)
    this.#switches = switchesOf(this.document)
  }

  get name(): string {
    return this.#source.operation.name?.value ?? ''
  }

  /** Whether the schema has a root for operations of this kind. */
  get isInSchema(): boolean {
    // A schema that was made without this root has null there.
    return (this.#source.schema.getRootType(this.kind) ?? null) !== null
  }

  /** An error about the operation as a whole. */
  error(message: string): GraphQLError {
    return new GraphQLError(message, { nodes: this.#source.operation })
  }

  get hasVariables(): boolean {
    return (this.#source.operation.variableDefinitions ?? []).length > 0
  }

  /** Whether a function can be compiled for it. */
  get isCompilable(): boolean {
    const { schema, operation } = this.#source
    this.#isCompilable ??= hasCompilableVariables(schema, operation) && hasCompilableTypes(schema, this.document)
    return this.#isCompilable
  }

  /** The values of the variables. Throws the errors of those that do not fit, as a list. */
  coerce(given: Variables): Variables {
    const { schema, operation } = this.#source
    const options = { maxErrors: 20, hideSuggestions: !this.#suggestions }
    const found = getVariableValues(schema, operation.variableDefinitions ?? [], given, options)
    if (found.errors !== undefined) throw new VariableErrors(found.errors)
    return found.coerced
  }

  /** The selection for these variables, of which only those of `@skip` and `@include` matter. */
  select(variables: Variables): OperationSelection {
    const key = this.#switches.map(name => (variables[name] === true ? '1' : '0')).join('')
    const known = this.#selections.get(key)
    if (known !== undefined) return known
    const made = readOperation(this.#source, variables)
    if (this.#selections.size < maxSelections) this.#selections.set(key, made)
    return made
  }
}

/** Variables that do not fit their types. */
export class VariableErrors extends Error {
  readonly errors: readonly GraphQLError[]

  constructor(errors: readonly GraphQLError[]) {
    super('Variables do not fit their types')
    this.errors = errors
  }
}

function alone({ operation, fragments }: OperationSource): DocumentNode {
  const whole: DocumentNode = { kind: Kind.DOCUMENT, definitions: [operation, ...Object.values(fragments)] }
  return separateOperations(whole)[operation.name?.value ?? '']!
}

function switchesOf(document: DocumentNode): string[] {
  const names = new Set<string>()
  visit(document, {
    Directive(node) {
      if (node.name.value !== 'skip' && node.name.value !== 'include') return
      for (const { value } of node.arguments ?? []) if (value.kind === Kind.VARIABLE) names.add(value.name.value)
    },
  })
  return [...names].sort()
}
