// Finds out whether the variables of an operation have defaults in places that must not be null: `$n: Int! = 3`, or a field
// `provider: String! = "local"` of an input. Compiled functions of graphql-jit ask for such a value although it has a
// default, so these operations are executed without them.

import {
  getNamedType,
  type GraphQLInputType,
  type GraphQLSchema,
  isInputObjectType,
  isInputType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql'

/** Whether a variable, or a field of an input that a variable may have, must not be null and has a default. */
export function hasRequiredDefaults(schema: GraphQLSchema, operation: OperationDefinitionNode): boolean {
  return (operation.variableDefinitions ?? []).some(({ type, defaultValue }) => {
    if (type.kind === Kind.NON_NULL_TYPE && defaultValue !== undefined) return true
    const found = typeFromAST(schema, type as never) as GraphQLInputType | undefined
    return found !== undefined && isInputType(found) && leadsToDefault(found)
  })
}

const known = new WeakMap<GraphQLInputType, boolean>()

/** Whether a field with a default that must not be null is in an input, at any depth. */
function leadsToDefault(type: GraphQLInputType): boolean {
  const named = getNamedType(type) as GraphQLInputType
  const answer = known.get(named)
  if (answer !== undefined) return answer
  const seen = new Set<GraphQLInputType>([named])
  let found = false
  // The set grows while it is read.
  for (const one of seen) {
    if (!isInputObjectType(one)) continue
    for (const field of Object.values(one.getFields())) {
      if (isNonNullType(field.type) && field.defaultValue !== undefined) found = true
      seen.add(getNamedType(field.type) as GraphQLInputType)
    }
    if (found) break
  }
  known.set(named, found)
  return found
}
