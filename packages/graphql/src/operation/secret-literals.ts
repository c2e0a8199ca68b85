// Messages of errors about literals, without the values of attributes that are private or passwords, and of arguments whose
// names are those of secrets. It looks at a document only when there is an error.

import { isSecretName } from '@plinth/kernel'
import {
  type ASTNode,
  type ASTVisitor,
  type DocumentNode,
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  Kind,
  parse,
  print,
  TypeInfo,
  type ValidationRule,
  type ValueNode,
  ValuesOfCorrectTypeRule,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { isSecretField } from '../schema/meaning.ts'
import { isSecretPlace, secretVariables } from './secret-variables.ts'

/** Replaces a value that is not shown. Printed, it has no quotes. */
const hidden: ValueNode = { kind: Kind.ENUM, value: '***' }

/** The literal, or the member of one, that each error of `literalsRule` is about: errors of scalars need not name one. */
const literalOf = new WeakMap<GraphQLError, ASTNode>()

/** The rule of graphql-js for literals, whose errors `withoutSecrets` can read. */
export const literalsRule: ValidationRule = context => {
  let current: ASTNode | null = null
  const reportError = (error: GraphQLError) => {
    if (current !== null) literalOf.set(error, current)
    context.reportError(error)
  }
  const rule = ValuesOfCorrectTypeRule(Object.create(context, { reportError: { value: reportError } }))
  const visitor: Record<string, (node: ASTNode) => unknown> = {}
  for (const [kind, enter] of Object.entries(rule))
    visitor[kind] = node => {
      current = node
      return (enter as (node: ASTNode) => unknown)(node)
    }
  return visitor as ASTVisitor
}

/** The errors of a document, of which those that cite a secret literal have other messages. */
export function withoutSecrets(
  errors: readonly GraphQLError[],
  schema: GraphQLSchema,
  document: DocumentNode,
): readonly GraphQLError[] {
  if (!errors.some(one => literalOf.has(one))) return errors
  const literals = new Literals(schema, document)
  return errors.map(error => {
    const node = literalOf.get(error)
    const message = node === undefined ? null : literals.fault(node)
    return node === undefined || message === null ? error : withMessage(error, message, node)
  })
}

/** The words by which graphql-js says that an argument does not fit when its variables are known. */
const invalidArgument = ' has invalid value '

/** An error of execution, without secret literals: an argument is cited as it stands in the operation. */
export function withoutSecretArguments(error: GraphQLError, schema: GraphQLSchema): GraphQLError {
  const { message, nodes, source } = error
  const [node] = nodes ?? []
  const end = message.indexOf(invalidArgument)
  if (end === -1 || source === undefined || node?.kind.endsWith('Value') !== true) return error
  const literal = new Literals(schema, parse(source.body)).print(node)
  return literal === null ? error : withMessage(error, `${message.slice(0, end)}${invalidArgument}${literal}.`)
}

/** The error with another message; `node` is its place if it has none. */
function withMessage(error: GraphQLError, message: string, node: ASTNode | null = null): GraphQLError {
  const { nodes = node, source, positions, path, originalError, extensions } = error
  return new GraphQLError(message, { nodes, source, positions, path, originalError, extensions })
}

/** The place of a literal. */
interface Place {
  readonly node: ASTNode
  readonly type: GraphQLInputType | undefined
  /** True if everything there is secret. */
  readonly isSecret: boolean
}

/** The literals of a document, with what is secret of them. */
class Literals {
  readonly #places = new Map<string, Place>()
  /** The values of secret arguments and members, and the defaults of secret variables. */
  readonly #secrets = new Set<ASTNode>()

  constructor(schema: GraphQLSchema, document: DocumentNode) {
    const info = new TypeInfo(schema)
    const variables = secretVariables(schema, document)
    let secretLevels = 0
    const secretIn = (node: ASTNode): ValueNode | null => {
      if (node.kind === Kind.VARIABLE_DEFINITION)
        return variables.has(node.variable.name.value) ? (node.defaultValue ?? null) : null
      const isMember = node.kind === Kind.ARGUMENT || node.kind === Kind.OBJECT_FIELD
      return isMember && isSecretPlace(node, info) ? node.value : null
    }
    visit(
      document,
      visitWithTypeInfo(info, {
        enter: node => {
          const type = node.kind === Kind.OBJECT_FIELD ? info.getParentInputType() : info.getInputType()
          this.#places.set(keyOf(node), { node, type: type ?? undefined, isSecret: secretLevels > 0 })
          const secret = secretIn(node)
          if (secret === null) return
          this.#secrets.add(secret)
          secretLevels++
        },
        leave(node) {
          if (secretIn(node) !== null) secretLevels--
        },
      }),
    )
  }

  /** Says what is wrong with a literal, or a member of one; null if the message of graphql-js cites nothing secret. */
  fault(node: ASTNode): string | null {
    const place = this.#places.get(keyOf(node))
    const literal = this.print(node)
    if (place === undefined || literal === null) return null
    const { type, isSecret } = place
    // Errors about an object are about its members, of which they cite the names.
    const isObject =
      node.kind === Kind.OBJECT_FIELD || (node.kind === Kind.OBJECT && isInputObjectType(getNamedType(type)))
    return isObject && !isSecret ? null : `Expected value of type "${String(type)}", found ${literal}.`
  }

  /** A literal as errors show it; null if nothing of it is secret. */
  print(node: ASTNode): string | null {
    const place = this.#places.get(keyOf(node))
    if (place?.isSecret === true) return print(hidden)
    let isChanged = false
    const copy = visit(place?.node ?? node, {
      enter: one => {
        if (!this.#secrets.has(one)) return undefined
        isChanged = true
        return hidden
      },
    })
    return isChanged ? print(copy) : null
  }
}

/** Equal for the same place of a text, which may have been parsed twice. */
function keyOf({ kind, loc }: ASTNode): string {
  return `${kind} ${loc?.start}`
}

/** The names of members of inputs whose values errors must not show. */
export function secretNamesOf(schema: GraphQLSchema): ReadonlySet<string> {
  const names = new Set<string>()
  for (const type of Object.values(schema.getTypeMap()))
    if (isInputObjectType(type))
      for (const name of Object.keys(type.getFields())) if (isSecretField(type, name)) names.add(name)
  return names
}

/** Matches what an error of syntax cites: a token that is not a punctuator, or characters. */
const citedToken = /((?:BlockString|String|Int|Float|Name|:) )".*$/s

/**
 * An error of syntax, without the token that it cites if the name of a secret precedes it: what is not parsed has no
 * places. `names` are those of `secretNamesOf`.
 */
export function withoutSecretToken(error: GraphQLError, text: string, names: () => ReadonlySet<string>): GraphQLError {
  const { message, positions } = error
  if (positions === undefined || !citedToken.test(message)) return error
  const words = new Set(text.slice(0, positions[0]).match(/[_a-z]\w*/gi))
  if (![...words].some(word => isSecretName(word, true) || names().has(word))) return error
  return withMessage(error, message.replace(citedToken, '$1"***".'))
}
