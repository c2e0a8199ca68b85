// The syntax tree of a file: parsed once, walked by visitors. Knows no project, and runs no code.

import { parse } from '@babel/parser'

type Program = ReturnType<typeof parse>['program']
export type Statement = Program['body'][number]
export type Expression = Extract<Statement, { type: 'ExpressionStatement' }>['expression']
export type Member = Extract<Expression, { type: 'MemberExpression' }>
export type Call = Extract<Expression, { type: 'CallExpression' }>
/** Any function of a program, methods of objects included. */
export type Callable =
  | Extract<Expression, { type: 'FunctionExpression' | 'ArrowFunctionExpression' }>
  | Extract<Statement, { type: 'FunctionDeclaration' }>
  | Extract<Extract<Expression, { type: 'ObjectExpression' }>['properties'][number], { type: 'ObjectMethod' }>

/** Any node, for what only walks. */
export interface Node {
  readonly type: string
  readonly start?: number | null
  readonly loc?: { readonly start: { readonly line: number } } | null
}

/** The statements of a file of JavaScript or TypeScript. Throws SyntaxError. */
export function parseProgram(text: string, path: string): readonly Statement[] {
  const syntax = /\.[cm]?ts$/.test(path) ? ['typescript' as const] : ['jsx' as const, 'typescript' as const]
  return parse(text, { sourceType: 'unambiguous', allowReturnOutsideFunction: true, plugins: [...syntax] }).program.body
}

/** The line of a node, from 1; 0 if it is unknown. */
export const lineOf = (node: Node): number => node.loc?.start.line ?? 0

/** Called with a node and those around it, the nearest one last. `false` leaves out what is below the node. */
export type Visit = (node: Node, above: readonly Node[]) => unknown

/** Visits a node and all below it, in the order of the text. */
export function walk(node: Node | readonly Node[], visit: Visit, above: Node[] = []): void {
  if (Array.isArray(node)) {
    for (const one of node) walk(one as Node, visit, above)
    return
  }
  const whole = node as Node
  if (visit(whole, above) === false) return
  above.push(whole)
  for (const key of Object.keys(whole)) {
    if (skipped.has(key)) continue
    const value = (whole as unknown as Record<string, unknown>)[key]
    if (Array.isArray(value)) {
      for (const one of value) if (isNode(one)) walk(one, visit, above)
    } else if (isNode(value)) walk(value, visit, above)
  }
  above.pop()
}

const skipped = new Set(['loc', 'leadingComments', 'trailingComments', 'innerComments', 'extra', 'typeAnnotation'])

function isNode(value: unknown): value is Node {
  return value !== null && typeof value === 'object' && typeof (value as { type?: unknown }).type === 'string'
}

/** The expression without what only types and parentheses need. */
export function bare(node: Expression): Expression {
  switch (node.type) {
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'TSTypeAssertion':
    case 'ParenthesizedExpression':
      return bare(node.expression as Expression)
    case 'SequenceExpression':
      // `(0, factories.createCoreRouter)(…)`, as compilers write it.
      return node.expressions.slice(0, -1).every(one => one.type === 'NumericLiteral')
        ? bare(node.expressions.at(-1)! as Expression)
        : node
    default:
      return node
  }
}

/** The name of a member or a key; null if it is computed. */
export function nameOf(key: Node, isComputed: boolean): string | null {
  const { name, value } = key as { readonly name?: unknown; readonly value?: unknown }
  if (key.type === 'StringLiteral' || key.type === 'NumericLiteral') return String(value)
  if (key.type === 'TemplateLiteral') return templateText(key)
  return key.type === 'Identifier' && !isComputed ? String(name) : null
}

/** The text of a template without expressions; null for another one. */
export function templateText(node: Node): string | null {
  const { quasis, expressions } = node as unknown as {
    readonly quasis: readonly { readonly value: { readonly cooked?: string | null } }[]
    readonly expressions: readonly unknown[]
  }
  return expressions.length === 0 ? (quasis[0]?.value.cooked ?? null) : null
}
