// The arguments of fields in an operation: their values for given variables, computed once if no variable is in them.

import { isPlainRecord } from '@plinth/kernel'
import { type FieldNode, type GraphQLField, getArgumentValues, Kind, print, visit } from 'graphql'

export type Variables = Readonly<Record<string, unknown>>

/** The arguments of one field of an operation. */
export interface ArgumentSource {
  /** The values, with defaults. Throws GraphQLError for values that do not fit. */
  readonly values: (variables: Variables) => Readonly<Record<string, unknown>>
  /** Equal for fields whose arguments are written alike. */
  readonly text: string
  /** True if code has changed them, so that they do not belong to the operation. */
  readonly isChanged?: boolean
}

/** The arguments that stand in a field. */
export function argumentsOf(field: GraphQLField<unknown, unknown>, node: FieldNode): ArgumentSource {
  const nodes = node.arguments ?? []
  const text = nodes.map(print).sort().join(',')
  // The selection of the field is not kept with its arguments.
  const { kind, name, loc } = node
  const bare: FieldNode = { kind, name, arguments: nodes, loc }
  return { values: nodes.some(hasVariable) ? variableValues(field, bare) : constantValues(field, bare), text }
}

type ValuesOf = ArgumentSource['values']

function variableValues(field: GraphQLField<unknown, unknown>, node: FieldNode): ValuesOf {
  return variables => getArgumentValues(field, node, variables)
}

/** Values that depend on no variable. Once they are known, the syntax tree is not kept. */
function constantValues(field: GraphQLField<unknown, unknown>, node: FieldNode): ValuesOf {
  let unread: FieldNode | null = node
  let values: Readonly<Record<string, unknown>> = {}
  return () => {
    if (unread !== null) {
      values = getArgumentValues(field, unread, null)
      unread = null
    }
    return values
  }
}

/** Arguments that code has changed: a middleware, for example. */
export function fixedArguments(values: Readonly<Record<string, unknown>>): ArgumentSource {
  return { values: () => values, text: '', isChanged: true }
}

/**
 * Returns whether two values of arguments are equal. Objects other than lists and the plain ones of input objects are
 * equal only if they are the same.
 */
export function areSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (!isObjectOrList(one) || !isObjectOrList(other)) return false
  if (Array.isArray(one) || Array.isArray(other))
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((value, i) => areSame(value, other[i]))
    )
  const keys = Object.keys(one)
  if (!isPlainRecord(one) || !isPlainRecord(other) || keys.length !== Object.keys(other).length) return false
  return keys.every(key => Object.hasOwn(other, key) && areSame(one[key], other[key]))
}

function isObjectOrList(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function hasVariable(node: Parameters<typeof visit>[0]): boolean {
  let hasVariables = false
  visit(node, {
    [Kind.VARIABLE]() {
      hasVariables = true
    },
  })
  return hasVariables
}
