// Finds out whether graphql-jit can make a function for an operation. Its functions cannot read a variable with a default
// in a place that must not be null, `$n: Int! = 3`: they ask for such a value although it has a default. They have all
// fields of an input at any depth, which never ends for an input that leads to itself, as filters do. And where code of an
// application finds the type of a value, they neither wait for it nor catch its errors, which would end the process. Such
// operations are executed without compiled functions.

import {
  BREAK,
  type DocumentNode,
  getNamedType,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  isAbstractType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  TypeInfo,
  typeFromAST,
  type VariableDefinitionNode,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { isResolvedByCode } from '../extension/wrapped.ts'

/** Whether the types of all values of an operation are known without code of an application. */
export function hasCompilableTypes(schema: GraphQLSchema, document: DocumentNode): boolean {
  const info = new TypeInfo(schema)
  let isKnown = true
  const enter = () => {
    const type = getNamedType(info.getType())
    if (type === undefined || !asksCode(schema, type)) return undefined
    isKnown = false
    return BREAK
  }
  visit(document, visitWithTypeInfo(info, { [Kind.FIELD]: enter }))
  return isKnown
}

/** Whether code of an application finds out of which type values are. */
function asksCode(schema: GraphQLSchema, type: GraphQLNamedType): boolean {
  if (isObjectType(type)) return type.isTypeOf !== undefined && type.isTypeOf !== null
  if (!isAbstractType(type)) return false
  return isResolvedByCode(type) || schema.getPossibleTypes(type).some(one => asksCode(schema, one))
}

/** Inputs with more fields, counted at all depths, would make functions of megabytes. */
const maxFields = 500

/** Whether the variables of an operation can be read by a compiled function. */
export function hasCompilableVariables(schema: GraphQLSchema, definitions: readonly VariableDefinitionNode[]): boolean {
  return definitions.every(({ type, defaultValue }) => {
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
