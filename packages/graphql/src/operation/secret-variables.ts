// Finds the variables of an operation whose values errors must not show: those that become private attributes, passwords,
// or arguments whose names are those of secrets. It is asked only when there is an error.

import { isSecretName } from '@plinth/kernel'
import {
  type ASTNode,
  type DocumentNode,
  type GraphQLSchema,
  getNamedType,
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { isSecretField } from '../schema/meaning.ts'

/** The names of these variables. */
export function secretVariables(schema: GraphQLSchema, document: DocumentNode): ReadonlySet<string> {
  const info = new TypeInfo(schema)
  const names = new Set<string>()
  let secretLevels = 0
  const isSecret = (node: ASTNode) => isSecretPlace(node, info)
  visit(
    document,
    visitWithTypeInfo(info, {
      enter(node) {
        if (isSecret(node)) secretLevels++
        if (node.kind === Kind.VARIABLE && (secretLevels > 0 || isSecretName(node.name.value, true)))
          names.add(node.name.value)
      },
      leave(node) {
        if (isSecret(node)) secretLevels--
      },
    }),
  )
  return names
}

/** Returns whether all variables in an argument, or in a member of an input, are secret. */
export function isSecretPlace(node: ASTNode, info: TypeInfo): boolean {
  if (node.kind !== Kind.ARGUMENT && node.kind !== Kind.OBJECT_FIELD) return false
  const name = node.name.value
  if (isSecretName(name, true)) return true
  const parent = node.kind === Kind.OBJECT_FIELD ? getNamedType(info.getParentInputType()) : undefined
  return parent !== undefined && parent !== null && isSecretField(parent, name)
}
