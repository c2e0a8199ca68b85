// One operation of a document: its variables, its selections, and the syntax tree by which mercurius executes it. It is
// kept with its document, and without its syntax tree while nothing executes it.

import {
  type DocumentNode,
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
import type { Size } from './limits.ts'
import { type OperationSource, readOperation } from './reader.ts'
import { secretVariables } from './secret-variables.ts'
import type { OperationSelection } from './selection.ts'
import { coerceVariables } from './variables.ts'

/** Maximum number of combinations of the variables of `@skip` and `@include` whose selections are kept. */
const maxSelections = 16

/** An operation as it was parsed. */
export interface OperationSyntax extends OperationSource {
  /** Its document, if that has no other operation. */
  readonly only: DocumentNode | null
}

/** The properties of an operation beside its text. */
interface OperationFacts {
  readonly size: Size
  /** True if errors of variables name similar words of the schema. */
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
  readonly #facts: OperationFacts
  readonly #schema: GraphQLSchema
  readonly #definitions: readonly VariableDefinitionNode[]
  /** The variables that decide which fields are selected. */
  readonly #switches: readonly string[]
  readonly #selections = new Map<string, OperationSelection>()
  #parsed: OperationSyntax | null
  /** The operation alone with its fragments; null until it is executed. */
  #document: DocumentNode | null = null
  /** True if code receives the syntax tree of the operation with each field that the code resolves. */
  #hasOwnFields = false
  #secrets: ReadonlySet<string> | null = null

  constructor(syntax: OperationSyntax, facts: OperationFacts) {
    const { operation, schema } = syntax
    this.kind = operation.operation
    this.name = nameOf(operation)
    this.size = facts.size
    this.#facts = facts
    this.#schema = schema
    this.#parsed = syntax
    this.#definitions = operation.variableDefinitions ?? []
    this.hasVariables = this.#definitions.length > 0
    this.#switches = switchesOf(syntax)
  }

  /** The document that mercurius executes, which validates each of these objects once. */
  get document(): DocumentNode {
    this.#document ??= this.#syntax.only ?? alone(this.#syntax)
    return this.#document
  }

  /**
   * Lets go of the syntax tree, which takes more memory than everything else that is kept of an operation. It is parsed
   * again when an error or another selection needs it. An operation that was executed keeps its document, one with own
   * fields its tree, and so does one with more selections than are kept, which would have to parse it for each request.
   */
  release(): void {
    if (this.#hasOwnFields) return
    if (this.#document === null && this.#selections.size < maxSelections) this.#parsed = null
  }

  /** The syntax tree, with its fragments. */
  get source(): OperationSource {
    return this.#syntax
  }

  get #syntax(): OperationSyntax {
    this.#parsed ??= this.#facts.parse()
    return this.#parsed
  }

  /** Returns whether the schema has a root for operations of this kind. */
  get isInSchema(): boolean {
    // A schema that was made without this root has null there.
    return (this.#schema.getRootType(this.kind) ?? null) !== null
  }

  /** An error about the operation as a whole. */
  error(message: string): GraphQLError {
    return new GraphQLError(message, { nodes: this.#syntax.operation })
  }

  /** The values of the variables. Throws VariableErrors if some do not fit. */
  coerce(sent: Variables): Variables {
    if (!this.hasVariables) return none
    const { suggestions } = this.#facts
    return coerceVariables(sent, {
      schema: this.#schema,
      definitions: this.#definitions,
      suggestions,
      secrets: () => this.#secretVariables,
    })
  }

  /** The variables whose values errors must not show. */
  get #secretVariables(): ReadonlySet<string> {
    this.#secrets ??= secretVariables(this.#schema, this.#syntax.only ?? alone(this.#syntax))
    return this.#secrets
  }

  /** The selection for these variables, of which only those of `@skip` and `@include` matter. */
  select(variables: Variables): OperationSelection {
    const key = this.#switches.map(name => (variables[name] === true ? '1' : '0')).join('')
    const cached = this.#selections.get(key)
    if (cached !== undefined) return cached
    const selection = readOperation(this.#syntax, variables)
    this.#hasOwnFields ||= !selection.isGenerated
    if (this.#selections.size < maxSelections) this.#selections.set(key, selection)
    return selection
  }
}

const none: Variables = Object.freeze(Object.create(null) as Record<string, never>)

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
