// Reads configuration files of v4 as syntax, so that expressions such as env('PORT') are kept as they are written, and
// no code of the project runs.

import { type ParserOptions, parse, parseExpression } from '@babel/parser'

export type Statement = ReturnType<typeof parse>['program']['body'][number]
export type Expression = Extract<Statement, { type: 'ExpressionStatement' }>['expression']

/** A member of an object in the text, with its range; the comma behind it is not part of it. */
export interface Member {
  readonly name: string
  readonly value: Expression
  readonly start: number
  readonly end: number
}

/**
 * Returns what a file exports: the object or list itself, or that which its function returns. Null if it is anything else. Throws
 * SyntaxError.
 */
export function exportedValue(text: string): Expression | null {
  const { whole, body } = exportOf(text)
  return whole === null ? null : resultOf(whole, body)
}

/** The export of a file as a whole, and the statements of the file. */
export interface Export {
  /** The expression, or a declared function; null if nothing is exported as a whole. */
  readonly whole: Expression | null
  readonly body: readonly Statement[]
}

/** Throws SyntaxError. */
export function exportOf(text: string): Export {
  if (isJson(text)) return { whole: parseExpression(text) as Expression, body: [] }
  const body = programOf(text)
  return { whole: body.map(exportedBy).find(one => one !== null) ?? null, body }
}

/** Returns whether it is JSON and no program. */
export const isJson = (text: string) => /^\s*[{[]/.test(text)

/** Files of v4 run as CommonJS, where a `return` may stand outside of functions. */
const options: ParserOptions = {
  sourceType: 'unambiguous',
  plugins: ['typescript', 'decorators-legacy'],
  allowReturnOutsideFunction: true,
}

/** The statements of a program. Throws SyntaxError. */
export function programOf(text: string): readonly Statement[] {
  return parse(text, options).program.body
}

/** A word, a text or a sign of a program. */
interface Token {
  /** `name`, `string`, or the sign or keyword itself. */
  readonly label: string
  readonly value: string
  readonly start: number
}

/** The tokens of a program, without comments. Throws SyntaxError. */
export function tokensOf(text: string): readonly Token[] {
  const { tokens } = parse(text, { ...options, tokens: true })
  const all = (tokens ?? []) as { type: string | { label: string }; value?: unknown; start: number }[]
  return all.flatMap(({ type, value, start }) =>
    typeof type === 'string' ? [] : [{ label: type.label, value: String(value ?? type.label), start }],
  )
}

/** Returns what a statement exports as a whole: `export default x`, `export = x`, `module.exports = x` and the like; else null. */
function exportedBy(statement: Statement): Expression | null {
  if (statement.type === 'ExportDefaultDeclaration') return statement.declaration as Expression
  if (statement.type === 'TSExportAssignment') return statement.expression as Expression
  if (statement.type === 'ExportNamedDeclaration') {
    const renamed = statement.specifiers.find(
      one => one.type === 'ExportSpecifier' && (one.exported as { readonly name?: string }).name === 'default',
    )
    return renamed === undefined ? null : (renamed as unknown as { readonly local: Expression }).local
  }
  if (statement.type !== 'ExpressionStatement' || statement.expression.type !== 'AssignmentExpression') return null
  const { left, right } = statement.expression
  if (!isExports(left as Expression)) return null
  // `exports = module.exports = x`
  return right.type === 'AssignmentExpression'
    ? exportedBy({ ...statement, expression: right } as Statement)
    : (right as Expression)
}

/** Returns whether it is `module.exports`, `exports`, or `exports.default`. */
function isExports(node: Expression): boolean {
  if (node.type === 'Identifier') return node.name === 'exports'
  if (node.type !== 'MemberExpression' || node.computed || node.property.type !== 'Identifier') return false
  const { object, property } = node
  if (property.name === 'default') return isExports(object as Expression)
  return object.type === 'Identifier' && object.name === 'module' && property.name === 'exports'
}

/** The expression without what only types need, and without `Object.freeze`. */
export function bareOf(node: Expression): Expression {
  switch (node.type as string) {
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSTypeAssertion':
    case 'TSNonNullExpression':
    case 'ParenthesizedExpression':
      return bareOf((node as unknown as { readonly expression: Expression }).expression)
  }
  if (node.type !== 'CallExpression' || node.arguments.length !== 1) return node
  const { callee } = node
  const isFreeze =
    callee.type === 'MemberExpression' && callee.property.type === 'Identifier' && callee.property.name === 'freeze'
  return isFreeze ? bareOf(node.arguments[0] as Expression) : node
}

/** The body of a function of any form; null for anything else. */
export function functionBody(node: Expression): readonly Statement[] | Expression | null {
  const isFunction = ['ArrowFunctionExpression', 'FunctionExpression', 'FunctionDeclaration'].includes(node.type)
  if (!isFunction) return null
  const { body } = node as Extract<Expression, { type: 'ArrowFunctionExpression' }>
  return body.type === 'BlockStatement' ? body.body : (body as Expression)
}

/** Follows functions to what they return, names to what they stand for, and leaves out what only types need. */
function resultOf(value: Expression, body: readonly Statement[]): Expression | null {
  const node = bareOf(value)
  if (node.type === 'Identifier') {
    const value = initialValue(node.name, body)
    return value === null ? null : resultOf(value, body)
  }
  const inner = functionBody(node)
  if (inner === null) return node
  if (!Array.isArray(inner)) return resultOf(inner as Expression, body)
  const returned = (inner as readonly Statement[]).findLast(one => one.type === 'ReturnStatement')
  return returned?.argument ? resultOf(returned.argument, [...inner, ...body]) : null
}

/** Returns what a constant or function of that name is, where it is declared. */
export function initialValue(name: string, body: readonly Statement[]): Expression | null {
  for (const one of body) {
    const statement = one.type === 'ExportNamedDeclaration' && one.declaration ? (one.declaration as Statement) : one
    if (statement.type === 'FunctionDeclaration' && statement.id?.name === name)
      return statement as unknown as Expression
    if (statement.type !== 'VariableDeclaration') continue
    const declaration = statement.declarations.find(one => one.id.type === 'Identifier' && one.id.name === name)
    if (declaration?.init) return declaration.init
  }
  return null
}

/** The members of an object; null if some of them are spread or computed. */
export function membersOf(node: Expression | null): Member[] | null {
  if (node?.type !== 'ObjectExpression') return null
  const members: Member[] = []
  for (const one of node.properties) {
    if (one.type === 'SpreadElement' || one.computed) return null
    const { key } = one
    const name = key.type === 'Identifier' ? key.name : key.type === 'StringLiteral' ? key.value : null
    if (name === null) return null
    const value = one.type === 'ObjectProperty' ? (one.value as Expression) : (one as unknown as Expression)
    members.push({ name, value, start: one.start!, end: one.end! })
  }
  return members
}

/** The members of an object that have names of their own, beside those that are spread or computed. */
export function namedMembersOf(node: Expression | null): Member[] {
  if (node?.type !== 'ObjectExpression') return []
  return node.properties.flatMap(one => membersOf({ ...node, properties: [one] }) ?? [])
}

/** The member of that name; undefined if the object has none. */
export function memberOf(node: Expression | null, name: string): Expression | undefined {
  return namedMembersOf(node).find(one => one.name === name)?.value
}
