// Texts of operations, parsed, measured and validated once each. The results, also those of refused texts, are kept by
// text in caches that are bounded by their size.

import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  NoSchemaIntrospectionCustomRule,
  type OperationDefinitionNode,
  parse,
  specifiedRules,
  validate,
  type ValidationRule,
} from 'graphql'
import { LRUCache } from 'lru-cache'
import type { OperationLimits } from '../config.ts'
import { type AnsweredError, plainRefusal, refusal } from '../transport/errors.ts'
import { depthRule } from './depth.ts'
import { checkSizes } from './limits.ts'
import { Operation } from './operation.ts'

/** A document that is refused. */
export class RefusedDocument extends Error {
  readonly errors: readonly AnsweredError[]
  /** Whether the same text is always refused; what a plugin says of a literal may depend on the database. */
  readonly isFinal: boolean

  constructor(errors: readonly AnsweredError[], isFinal = true) {
    super('The document is refused')
    this.errors = errors
    this.isFinal = isFinal
  }
}

/** What documents are checked by. */
export interface DocumentRules {
  readonly limits: OperationLimits
  readonly depthLimit: number | undefined
  readonly introspection: boolean
  /** Whether errors name similar words of the schema. */
  readonly suggestions: boolean
}

/** A valid document with its operations. */
interface KnownDocument {
  readonly operations: ReadonlyMap<string, Operation>
  readonly fields: number
}

/** The documents of one schema. */
export class Documents {
  readonly #schema: GraphQLSchema
  readonly #rules: DocumentRules
  readonly #validation: readonly ValidationRule[]
  readonly #known = new LRUCache<string, KnownDocument>({
    maxSize: 16 * 1024 * 1024,
    // A syntax tree has some 40 bytes per character.
    sizeCalculation: (_document, text) => 1000 + 40 * text.length,
  })
  readonly #refused = new LRUCache<string, readonly AnsweredError[]>({
    maxSize: 1024 * 1024,
    sizeCalculation: (errors, text) => 2 * text.length + 500 * (errors.length + 1),
  })

  constructor(schema: GraphQLSchema, rules: DocumentRules) {
    this.#schema = schema
    this.#rules = rules
    this.#validation = [
      ...specifiedRules,
      ...(rules.introspection ? [] : [NoSchemaIntrospectionCustomRule]),
      ...(rules.depthLimit === undefined ? [] : [depthRule(rules.depthLimit)]),
    ]
  }

  /** The operation of a text. Throws RefusedDocument. */
  find(text: string, name: string | null): Operation {
    const { operations } = this.#documentOf(text)
    if (name !== null) {
      const named = operations.get(name)
      if (named === undefined) throw new RefusedDocument([plainRefusal(`Unknown operation named "${name}".`)])
      return named
    }
    const [first, second] = operations.values()
    if (second !== undefined)
      throw new RefusedDocument([plainRefusal('Must provide operation name if query contains multiple operations.')])
    if (first === undefined) throw new RefusedDocument([plainRefusal('Must provide an operation.')])
    return first
  }

  #documentOf(text: string): KnownDocument {
    const known = this.#known.get(text)
    if (known !== undefined) return known
    const refused = this.#refused.get(text)
    if (refused !== undefined) throw new RefusedDocument(refused)
    try {
      const document = this.#read(text)
      this.#known.set(text, document)
      return document
    } catch (error) {
      if (error instanceof RefusedDocument && error.isFinal) this.#refused.set(text, error.errors)
      throw error
    }
  }

  #read(text: string): KnownDocument {
    const { limits, suggestions } = this.#rules
    const bytes = Buffer.byteLength(text)
    if (bytes > limits.text)
      throw new RefusedDocument([
        plainRefusal(
          `The operation has ${bytes} bytes, and at most ${limits.text} are allowed`,
          'GRAPHQL_PARSE_FAILED',
        ),
      ])
    const document = refuseAs('GRAPHQL_PARSE_FAILED', () => parse(text, { maxTokens: limits.tokens }))
    const fields = refuseAs('GRAPHQL_VALIDATION_FAILED', () => checkSizes(document, limits))
    const errors = validate(this.#schema, document, this.#validation, { maxErrors: 20 })
    if (errors.length > 0)
      throw new RefusedDocument(
        errors.map(error => refusal(suggestions ? error : withoutSuggestion(error), 'GRAPHQL_VALIDATION_FAILED')),
        errors.every(error => error.originalError === undefined),
      )
    return { operations: this.#operationsOf(document), fields }
  }

  #operationsOf(document: DocumentNode): Map<string, Operation> {
    const fragments: Record<string, FragmentDefinitionNode> = Object.create(null)
    const found: OperationDefinitionNode[] = []
    for (const one of document.definitions) {
      if (one.kind === Kind.FRAGMENT_DEFINITION) fragments[one.name.value] = one
      else if (one.kind === Kind.OPERATION_DEFINITION) found.push(one)
    }
    return new Map(
      found.map(operation => [
        operation.name?.value ?? '',
        new Operation({ schema: this.#schema, operation, fragments }, found.length === 1 ? document : null),
      ]),
    )
  }
}

function refuseAs<T>(code: 'GRAPHQL_PARSE_FAILED' | 'GRAPHQL_VALIDATION_FAILED', work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof GraphQLError) throw new RefusedDocument([refusal(error, code)])
    throw error
  }
}

/** Similar words would list the schema to those who may not see it (security.md row 75). */
function withoutSuggestion(error: GraphQLError): GraphQLError {
  const message = error.message.replace(/ Did you mean .*\?$/s, '')
  return new GraphQLError(message, { nodes: error.nodes ?? null, source: error.source ?? null })
}
