// Finds out whether graphql-jit can make a function that reads the variables of an operation. It cannot where a variable
// has a default in a place that must not be null, `$n: Int! = 3`: it asks for such a value although it has a default. And
// it writes out all fields of an input at any depth, which never ends for an input that leads to itself, as filters do.
// Such operations are executed without compiled functions.

import {
  getNamedType,
  type GraphQLInputType,
  type GraphQLSchema,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql'

/** Inputs with more fields, counted at all depths, would make functions of megabytes. */
const maxFields = 500

/** Whether the variables of an operation can be read by a compiled function. */
export function hasCompilableVariables(schema: GraphQLSchema, operation: OperationDefinitionNode): boolean {
  return (operation.variableDefinitions ?? []).every(({ type, defaultValue }) => {
    if (type.kind === Kind.NON_NULL_TYPE && defaultValue !== undefined) return false
    const found = typeFromAST(schema, type as never) as GraphQLInputType | undefined
    return found === undefined || !isInputType(found) || fieldsOf(found) <= maxFields
  })
}

const known = new WeakMap<GraphQLInputType, number>()

/** The number of fields that are written out for a type; infinite if it leads to itself or to a required default. */
function fieldsOf(type: GraphQLInputType): number {
  const named = getNamedType(type) as GraphQLInputType
  if (!isInputObjectType(named)) return 1
  const answer = known.get(named)
  if (answer !== undefined) return answer
  // What is found again while it is counted leads to itself.
  known.set(named, Number.POSITIVE_INFINITY)
  let count = 1
  for (const field of Object.values(named.getFields())) {
    const isRequiredDefault = isNonNullType(field.type) && field.defaultValue !== undefined
    count += isRequiredDefault ? Number.POSITIVE_INFINITY : copiesOf(field.type) * fieldsOf(field.type)
    if (count > maxFields) break
  }
  // The exact number of fields of a larger input does not matter.
  known.set(named, count > maxFields ? Number.POSITIVE_INFINITY : count)
  return known.get(named)!
}

/** A list is written out twice at each level: for its items, and for one item in its place. */
function copiesOf(type: GraphQLInputType): number {
  if (isNonNullType(type)) return copiesOf(type.ofType)
  return isListType(type) ? 2 * copiesOf(type.ofType) : 1
}
