// The environment variables that code reads: `env('X')`, `env.int('X')`, and `X` of `process.env`.

import { type Node, nodesIn, statementsOf } from './syntax-tree.ts'

/** A variable that is read. */
export interface Variable {
  readonly name: string
  /** `text` for `env()` itself and `process.env`, else the name of the function: `int`. */
  readonly kind: string
  readonly hasFallback: boolean
}

/** Throws SyntaxError. */
export function variablesIn(text: string): readonly Variable[] {
  return [...nodesIn(statementsOf(text))].flatMap(({ node }) => {
    if (node.type !== 'CallExpression') return []
    const [name, fallback] = node.arguments as readonly Node[]
    const callee = node.callee as Node
    const isMember = callee.type === 'MemberExpression'
    const root = isMember ? (callee.object as Node) : callee
    if (root.type !== 'Identifier' || root.name !== 'env' || name?.type !== 'StringLiteral') return []
    const kind = isMember ? String((callee.property as Node).name) : 'text'
    return [{ name: String(name.value), kind, hasFallback: fallback !== undefined }]
  })
}
