// Removes declarations that nothing uses any more, after members that used them were removed from a text.

import MagicString from 'magic-string'
import { type Node, nodesIn, statementsOf, usesIn } from './syntax-tree.ts'

/**
 * The text without imports of which nothing is used, and without constants and functions that only `before`, the text
 * as it was, has used. Throws SyntaxError.
 */
export function withoutUnused(text: string, before: string): string {
  const statements = statementsOf(text)
  const isIdle = (one: Node) => !isUsed(one, statements)
  const wereUsed = new Set(
    statementsOf(before).flatMap((one, _, all) => (isUsed(one, all) ? declaredBy(one).map(String) : [])),
  )
  const gone = statements.filter(
    one => isIdle(one) && (importsAny(one) || declaredBy(one).some(name => wereUsed.has(name))),
  )
  if (gone.length === 0) return text.trimStart()
  const edited = new MagicString(text)
  for (const { start, end } of gone) {
    const [behind = ''] = /^;?[^\S\n]*\n?/.exec(text.slice(end)) ?? []
    edited.remove(start, end + behind.length)
  }
  // Declarations that they used may be unused now.
  return withoutUnused(edited.toString(), before)
}

function isUsed(statement: Node, all: readonly Node[]): boolean {
  const names = declaredBy(statement)
  if (names.length === 0) return true
  return usesIn(all.filter(one => one !== statement)).some(one => names.includes(one.name))
}

/** The names that a statement declares; none if it does something else too. */
function declaredBy(statement: Node): string[] {
  if (statement.type === 'ImportDeclaration')
    return (statement.specifiers as readonly Node[]).map(one => String((one.local as Node).name))
  if (statement.type === 'FunctionDeclaration') return [String((statement.id as Node).name)]
  if (statement.type !== 'VariableDeclaration') return []
  const ids = (statement.declarations as readonly Node[]).map(one => one.id as Node)
  return [...nodesIn(ids)].flatMap(({ node, isType }) =>
    node.type === 'Identifier' && !isType ? [String(node.name)] : [],
  )
}

/** Returns whether a statement is an import, or calls `require`. */
function importsAny(statement: Node): boolean {
  if (statement.type === 'ImportDeclaration') return true
  return statement.type === 'VariableDeclaration' && usesIn([statement]).some(one => one.name === 'require')
}
