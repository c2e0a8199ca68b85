// The rule of v4's option `depthLimit`: the depth of an operation below its root, without introspection (B-9.19).

import { type ASTVisitor, GraphQLError, Kind, type SelectionSetNode, type ValidationContext } from 'graphql'

/** A rule of validation with this limit. */
export function depthRule(limit: number): (context: ValidationContext) => ASTVisitor {
  return context => ({
    OperationDefinition(operation) {
      const name = operation.name?.value ?? ''
      if (exceeds(context, operation.selectionSet, limit + 1, new Set()))
        context.reportError(
          new GraphQLError(`'${name}' exceeds maximum operation depth of ${limit}`, { nodes: operation }),
        )
    },
  })
}

/** Returns whether a selection has more than `left` levels. */
function exceeds(
  context: ValidationContext,
  { selections }: SelectionSetNode,
  left: number,
  open: ReadonlySet<string>,
): boolean {
  return selections.some(one => {
    if (one.kind === Kind.FIELD) {
      if (one.name.value.startsWith('__')) return false
      if (left === 0) return true
      return one.selectionSet !== undefined && exceeds(context, one.selectionSet, left - 1, open)
    }
    if (one.kind === Kind.INLINE_FRAGMENT) return exceeds(context, one.selectionSet, left, open)
    const fragment = context.getFragment(one.name.value)
    if (fragment === undefined || fragment === null || open.has(one.name.value)) return false
    return exceeds(context, fragment.selectionSet, left, new Set([...open, one.name.value]))
  })
}
