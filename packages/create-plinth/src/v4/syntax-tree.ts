// Walks the syntax tree of a program, whose nodes are those of Babel. Knows no meaning of a node but whether it is a
// type.

import { programOf } from '@plinth/v4/syntax'

/** A node of a syntax tree, with its range in the text. */
export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

/** A node as a walk meets it. */
export interface Visit {
  readonly node: Node
  /** True if it is part of a type, of which nothing is left when the program runs. */
  readonly isType: boolean
}

/** The statements of a program as nodes. Throws SyntaxError. */
export const statementsOf = (text: string) => programOf(text) as unknown as readonly Node[]

/** The nodes below these and they themselves, outer ones first. `isEntered`: whether the walk goes into a node. */
export function* nodesIn(
  nodes: readonly Node[],
  isEntered: (node: Node) => boolean = () => true,
  isType = false,
): Generator<Visit> {
  for (const node of nodes) {
    yield { node, isType }
    if (!isEntered(node)) continue
    for (const [key, below] of childrenOf(node)) yield* nodesIn(below, isEntered, isType || isOfType(node, key))
  }
}

/** The nodes directly below a node, by the key that has them. */
function childrenOf(node: Node): readonly (readonly [string, readonly Node[]])[] {
  return Object.entries(node).flatMap(([key, value]) => {
    if (key === 'loc' || key === 'extra' || key.endsWith('Comments')) return []
    const below = (Array.isArray(value) ? value : [value]).filter(isNode)
    return below.length === 0 ? [] : [[key, below] as const]
  })
}

function isNode(value: unknown): value is Node {
  return value !== null && typeof value === 'object' && typeof (value as Partial<Node>).type === 'string'
}

const typeKeys = ['typeAnnotation', 'typeParameters', 'typeArguments', 'returnType', 'implements']

const isOfType = (node: Node, key: string) =>
  typeKeys.includes(key) || node.type === 'TSInterfaceDeclaration' || node.type === 'TSTypeAliasDeclaration'

/** Returns whether it is a function, which has returns of its own. */
export const isFunction = ({ type }: Node) => /Function|Method/.test(type)

/** A name that is used in a program, other than the names of members. */
export interface Use {
  readonly name: string
  readonly node: Node
  readonly isType: boolean
}

/**
 * The uses of names below these nodes, their declarations included. Names of imports and exports are not among them.
 */
export function usesIn(nodes: readonly Node[]): Use[] {
  const uses: Use[] = []
  const isMember = new Set<unknown>()
  for (const { node, isType } of nodesIn(nodes, ({ type }) => type !== 'ImportDeclaration')) {
    if (node.computed === false || node.computed === undefined) {
      if (/MemberExpression$/.test(node.type)) isMember.add(node.property)
      if (/^(?:Object|Class)(?:Property|Method)$/.test(node.type) && node.shorthand !== true) isMember.add(node.key)
    }
    if (node.type === 'Identifier' && !isMember.has(node)) uses.push({ name: String(node.name), node, isType })
  }
  return uses
}
