// One operation of a document: its variables, its selections, and the syntax tree by which mercurius executes it. It is
// kept with its document, and without its syntax tree while nothing executes it.

import {
  type DocumentNode,
  getVariableValues,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type OperationTypeNode,
  separateOperations,
  type VariableDefinitionNode,
  visit,
} from 'graphql'
import type { Variables } from './arguments.ts'
import { hasCompilableTypes, hasCompilableVariables } from './compilable.ts'
import type { Size } from './limits.ts'
import { type OperationSource, readOperation } from './reader.ts'
import type { OperationSelection } from './selection.ts'

/** So many combinations of the variables of `@skip` and `@include` are kept. */
const maxSelections = 16

/** An operation as it was parsed. */
export interface OperationSyntax extends OperationSource {
  /** Its document, if that has no other operation. */
  readonly only: DocumentNode | null
}

/** What is known of an operation beside its text. */
interface OperationAbout {
  readonly size: Size
  /** Whether errors of variables name similar words of the schema. */
  readonly suggestions: boolean
  /** Parses it again. */
  readonly parse: () => OperationSyntax
}

/** An operation of a document that is valid. */
export class Operation {
  readonly kind: OperationTypeNode
  readonly name: string
  readonly size: Size
  readonly hasVariables: boolean
  readonly #about: OperationAbout
  readonly #schema: GraphQLSchema
  readonly #definitions: readonly VariableDefinitionNode[]
  /** The variables that decide which fields are selected. */
  readonly #switches: readonly string[]
  readonly #selections = new Map<string, OperationSelection>()
  #parsed: OperationSyntax | null
  /** The operation alone with its fragments; null until it is executed. */
  #document: DocumentNode | null = null
  #isCompilable: boolean | null = null

  constructor(syntax: OperationSyntax, about: OperationAbout) {
    const { operation, schema } = syntax
    this.kind = operation.operation
    this.name = nameOf(operation)
    this.size = about.size
    this.#about = about
    this.#schema = schema
    this.#parsed = syntax
    this.#definitions = operation.variableDefinitions ?? []
    this.hasVariables = this.#definitions.length > 0
    this.#switches = switchesOf(syntax)
  }

  /** What mercurius executes. It keeps what it compiles by this object, whatever the name of the operation. */
  get document(): DocumentNode {
    this.#document ??= this.#syntax.only ?? alone(this.#syntax)
    return this.#document
  }

  /**
   * Lets go of the syntax tree, which takes more memory than everything else that is kept of an operation. It is parsed
   * again when an error or another selection needs it. An operation that was executed keeps its document, and one with
   * more selections than are kept its tree, which it would have to parse for each request.
   */
  release(): void {
    if (this.#document === null && this.#selections.size < maxSelections) this.#parsed = null
  }

  get #syntax(): OperationSyntax {
    this.#parsed ??= this.#about.parse()
    return this.#parsed
  }

  /** Whether the schema has a root for operations of this kind. */
  get isInSchema(): boolean {
    // A schema that was made without this root has null there.
    return (this.#schema.getRootType(this.kind) ?? null) !== null
  }

  /** An error about the operation as a whole. */
  error(message: string): GraphQLError {
    return new GraphQLError(message, { nodes: this.#syntax.operation })
  }

  /** Whether a function can be compiled for it. */
  get isCompilable(): boolean {
    this.#isCompilable ??=
      hasCompilableVariables(this.#schema, this.#definitions) && hasCompilableTypes(this.#schema, this.document)
    return this.#isCompilable
  }

  /** The values of the variables. Throws the errors of those that do not fit, as a list. */
  coerce(given: Variables): Variables {
    const options = { maxErrors: 20, hideSuggestions: !this.#about.suggestions }
    const found = getVariableValues(this.#schema, this.#definitions, given, options)
    if (found.errors !== undefined) throw new VariableErrors(found.errors)
    return found.coerced
  }

  /** The selection for these variables, of which only those of `@skip` and `@include` matter. */
  select(variables: Variables): OperationSelection {
    const key = this.#switches.map(name => (variables[name] === true ? '1' : '0')).join('')
    const known = this.#selections.get(key)
    if (known !== undefined) return known
    const made = readOperation(this.#syntax, variables)
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

/** The name of an operation, which is empty if it has none. */
export function nameOf({ name }: OperationDefinitionNode): string {
  return name?.value ?? ''
}

function alone({ operation, fragments }: OperationSource): DocumentNode {
  const whole: DocumentNode = { kind: Kind.DOCUMENT, definitions: [operation, ...Object.values(fragments)] }
  return separateOperations(whole)[nameOf(operation)]!
}

function switchesOf(syntax: OperationSyntax): string[] {
  const names = new Set<string>()
  visit(syntax.only ?? alone(syntax), {
    Directive(node) {
      if (node.name.value !== 'skip' && node.name.value !== 'include') return
      for (const { value } of node.arguments ?? []) if (value.kind === Kind.VARIABLE) names.add(value.name.value)
    },
  })
  return [...names].sort()
}
