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
  type ValidationRule,
  ValuesOfCorrectTypeRule,
  validate,
} from 'graphql'
import { LRUCache } from 'lru-cache'
import type { OperationLimits } from '../config.ts'
import { depthRule } from './depth.ts'
import { type AnsweredError, plainRefusal, refusal } from './errors.ts'
import { measure, type Size } from './limits.ts'
import { nameOf, Operation, type OperationSyntax } from './operation.ts'
import { RefusedDocument } from './refused-document.ts'
import { literalsRule, secretNamesOf, withoutSecrets, withoutSecretToken } from './secret-literals.ts'
import { checkSyntax } from './text-limits.ts'

/** The rules by which documents are checked. */
export interface DocumentRules {
  readonly limits: OperationLimits
  readonly depthLimit: number | undefined
  readonly introspection: boolean
  /** Rules of the application. */
  readonly own: readonly ValidationRule[]
  /** True if errors name similar words of the schema. */
  readonly suggestions: boolean
}

/** The operations of a valid document, by name. */
type ParsedDocument = ReadonlyMap<string, Operation>

/** The documents of one schema. */
export class Documents {
  readonly #schema: GraphQLSchema
  readonly #rules: DocumentRules
  readonly #validation: readonly ValidationRule[]
  #secretNames: ReadonlySet<string> | null = null
  readonly #documents = new LRUCache<string, ParsedDocument>({
    maxSize: 16 * 1024 * 1024,
    // A syntax tree has some 40 bytes per character, and its selection and the writers of its answers have as many. Only
    // operations with code of extensions, and those that were executed, keep their trees, but all may be such.
    sizeCalculation: (_document, text) => 1000 + 80 * text.length,
  })
  readonly #refused = new LRUCache<string, readonly AnsweredError[]>({
    maxSize: 1024 * 1024,
    sizeCalculation: (errors, text) => 2 * text.length + 500 * (errors.length + 1),
  })

  constructor(schema: GraphQLSchema, rules: DocumentRules) {
    this.#schema = schema
    this.#rules = rules
    this.#validation = [
      ...specifiedRules.map(one => (one === ValuesOfCorrectTypeRule ? literalsRule : one)),
      ...(rules.introspection ? [] : [NoSchemaIntrospectionCustomRule]),
      ...(rules.depthLimit === undefined ? [] : [depthRule(rules.depthLimit)]),
      ...rules.own,
    ]
  }

  /** The operation of a text. Throws RefusedDocument. */
  find(text: string, name: string | null): Operation {
    const operations = this.#documentOf(text)
    if (name !== null) {
      const operation = operations.get(name)
      if (operation === undefined) throw new RefusedDocument([plainRefusal(`Unknown operation named "${name}".`)])
      return operation
    }
    const [first, second] = operations.values()
    if (second !== undefined)
      throw new RefusedDocument([plainRefusal('Must provide operation name if query contains multiple operations.')])
    if (first === undefined) throw new RefusedDocument([plainRefusal('Must provide an operation.')])
    return first
  }

  #documentOf(text: string): ParsedDocument {
    this.#checkLength(text)
    const cached = this.#documents.get(text)
    if (cached !== undefined) return cached
    const refused = this.#refused.get(text)
    if (refused !== undefined) throw new RefusedDocument(refused)
    try {
      const document = this.#read(text)
      this.#documents.set(text, document)
      return document
    } catch (error) {
      if (error instanceof RefusedDocument && error.isFinal) this.#refused.set(text, error.errors)
      throw error
    }
  }

  /** A text that is too long is not looked up either, because caches read it whole. */
  #checkLength(text: string): void {
    const { text: limit } = this.#rules.limits
    // A character has between one and three bytes.
    if (text.length * 3 <= limit) return
    const bytes = Buffer.byteLength(text)
    if (bytes <= limit) return
    const message = `The operation has ${bytes} bytes, and at most ${limit} are allowed`
    throw new RefusedDocument([plainRefusal(message, 'GRAPHQL_PARSE_FAILED')])
  }

  #read(text: string): ParsedDocument {
    const { limits, suggestions } = this.#rules
    const document = refuseAs('GRAPHQL_PARSE_FAILED', () => this.#parse(text))
    const sizes = refuseAs('GRAPHQL_VALIDATION_FAILED', () => measure(document, limits))
    // Similar words would list the schema to those who may not see it (security.md row 75).
    const options = { maxErrors: 20, hideSuggestions: !suggestions }
    // A rule may throw, as that of subscriptions does for a field with a condition.
    const errors = refuseAs('GRAPHQL_VALIDATION_FAILED', () =>
      validate(this.#schema, document, this.#validation, options),
    )
    if (errors.length > 0)
      throw new RefusedDocument(
        withoutSecrets(errors, this.#schema, document).map(error => refusal(error, 'GRAPHQL_VALIDATION_FAILED')),
        errors.every(error => error.originalError === undefined),
      )
    return this.#operationsOf(text, document, sizes)
  }

  #parse(text: string): DocumentNode {
    checkSyntax(text)
    const document = this.#parseTokens(text)
    unlinkTokens(document)
    return document
  }

  #parseTokens(text: string): DocumentNode {
    try {
      return parse(text, { maxTokens: this.#rules.limits.tokens })
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error
      throw withoutSecretToken(error, text, () => {
        this.#secretNames ??= secretNamesOf(this.#schema)
        return this.#secretNames
      })
    }
  }

  #operationsOf(
    text: string,
    document: DocumentNode,
    sizes: ReadonlyMap<OperationDefinitionNode, Size>,
  ): ParsedDocument {
    const { suggestions } = this.#rules
    const operations = new Map<string, Operation>()
    for (const syntax of syntaxesOf(this.#schema, document)) {
      const name = nameOf(syntax.operation)
      const parse = () => syntaxesOf(this.#schema, this.#parse(text)).find(one => nameOf(one.operation) === name)!
      operations.set(name, new Operation(syntax, { size: sizes.get(syntax.operation)!, suggestions, parse }))
    }
    return operations
  }
}

function syntaxesOf(schema: GraphQLSchema, document: DocumentNode): OperationSyntax[] {
  const fragments: Record<string, FragmentDefinitionNode> = Object.create(null)
  const operations: OperationDefinitionNode[] = []
  for (const one of document.definitions) {
    if (one.kind === Kind.FRAGMENT_DEFINITION) fragments[one.name.value] = one
    else if (one.kind === Kind.OPERATION_DEFINITION) operations.push(one)
  }
  const only = operations.length === 1 ? document : null
  return operations.map(operation => ({ schema, operation, fragments, only }))
}

/**
 * Cuts the list of tokens that the places of a document hold. Nothing reads it after parsing, and mercurius copies
 * documents by `structuredClone`, which follows the list and exceeds the stack for a long one.
 */
function unlinkTokens(document: DocumentNode): void {
  type Linked = { next: Linked | null; prev: Linked | null }
  let token = (document.loc?.startToken ?? null) as Linked | null
  while (token !== null) {
    const { next } = token
    token.next = null
    token.prev = null
    token = next
  }
}

/** V8's message. */
const stackExceeded = 'Maximum call stack size exceeded'

function refuseAs<T>(code: 'GRAPHQL_PARSE_FAILED' | 'GRAPHQL_VALIDATION_FAILED', work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof GraphQLError) throw new RefusedDocument([refusal(error, code)])
    // An application that allows longer texts may let fragments of fragments exceed the stack.
    if (error instanceof RangeError && error.message === stackExceeded)
      throw new RefusedDocument([plainRefusal('The operation is nested too deeply', code)])
    throw error
  }
}
