// Decides whether a file of settings can be changed as text: whether it exports one object or list, in which everything
// that it has stands, and which no code changes later.

import {
  bareOf,
  type Expression,
  exportOf,
  functionBody,
  initialValue,
  membersOf,
  type Statement,
} from '@plinth/v4/syntax'
import { isFunction, type Node, nodesIn, statementsOf, usesIn } from './syntax-tree.ts'

/** The object or list; null if code makes it, such as two returns, a call, or an assignment behind it. Throws SyntaxError. */
export function settingsObject(text: string): Expression | null {
  const { whole, body } = exportOf(text)
  return whole === null ? null : literalOf({ text, body }, whole)
}

/** The text and the statements in which names are declared. */
interface Scope {
  readonly text: string
  readonly body: readonly Statement[]
}

function literalOf(scope: Scope, expression: Expression): Expression | null {
  const node = bareOf(expression)
  if (node.type === 'ObjectExpression' || node.type === 'ArrayExpression') return node
  if (node.type === 'Identifier') {
    // Its declaration and this use; a third one may change it.
    if (usesIn(statementsOf(scope.text)).filter(one => one.name === node.name).length > 2) return null
    const value = initialValue(node.name, scope.body)
    return value === null ? null : literalOf(scope, value)
  }
  const inner = functionBody(node)
  if (inner === null) return null
  if (!Array.isArray(inner)) return literalOf(scope, inner as Expression)
  const body = inner as readonly Statement[]
  const returns = [...nodesIn(body as unknown as Node[], one => !isFunction(one))].filter(
    one => one.node.type === 'ReturnStatement',
  )
  const last = body.at(-1)
  if (returns.length !== 1 || last?.type !== 'ReturnStatement' || !last.argument) return null
  return literalOf({ ...scope, body: [...body, ...scope.body] }, last.argument)
}

/**
 * Returns whether an expression is an object whose members all have names of their own, at the depth of `settings` too.
 */
export function isPlainObject(node: Expression | undefined, settings: object): boolean {
  const members = membersOf(node === undefined ? null : bareOf(node))
  if (members === null) return false
  return members.every(({ name, value }) => {
    const inner: unknown = Object.hasOwn(settings, name) ? (settings as Record<string, unknown>)[name] : undefined
    return inner === undefined || inner === true || isPlainObject(value, inner as object)
  })
}

const everywhere = ['env', 'process', 'undefined', 'JSON', 'Number', 'String', 'Boolean', 'Math', 'Date', 'parseInt']

/**
 * Returns whether an expression of a text needs nothing but `env` and names of every program, so that it means the same
 * elsewhere.
 */
export function isSelfContained(text: string, { start, end }: { start?: number | null; end?: number | null }): boolean {
  const statements = statementsOf(`(${text.slice(start!, end!)})`)
  const functions = [...nodesIn(statements)].filter(({ node }) => isFunction(node))
  const declared = functions.flatMap(({ node }) => usesIn(node.params as readonly Node[])).map(one => one.name)
  return usesIn(statements).every(({ name }) => everywhere.includes(name) || declared.includes(name))
}
