// Reads configuration files of v4 as syntax, so that expressions such as env('PORT') are kept as they are written, and
// no code of the project runs.

import { parse, parseExpression } from '@babel/parser'

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
 * What a file exports: the object or list itself, or that which its function returns. Null if it is anything else. Throws
 * SyntaxError.
 */
export function exportedValue(text: string): Expression | null {
  if (isJson(text)) return parseExpression(text) as Expression
  const body = programOf(text)
  const whole = body.map(exportOf).find(one => one !== null) ?? null
  return whole === null ? null : resultOf(whole, body)
}

/** Whether it is JSON and no program. */
const isJson = (text: string) => /^\s*[{[]/.test(text)

/** The statements of a program. Throws SyntaxError. */
export function programOf(text: string): readonly Statement[] {
  return parse(text, { sourceType: 'unambiguous', plugins: ['typescript'] }).program.body
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
  const { tokens } = parse(text, { sourceType: 'unambiguous', plugins: ['typescript'], tokens: true })
  const all = (tokens ?? []) as { type: string | { label: string }; value?: unknown; start: number }[]
  return all.flatMap(({ type, value, start }) =>
    typeof type === 'string' ? [] : [{ label: type.label, value: String(value ?? type.label), start }],
  )
}

function exportOf(statement: Statement): Expression | null {
  if (statement.type === 'ExportDefaultDeclaration') return statement.declaration as Expression
  if (statement.type !== 'ExpressionStatement' || statement.expression.type !== 'AssignmentExpression') return null
  const { left, right } = statement.expression
  if (left.type !== 'MemberExpression' || left.object.type !== 'Identifier' || left.object.name !== 'module')
    return null
  return right
}

/** Follows functions to what they return, names to what they stand for, and leaves out what only types need. */
function resultOf(node: Expression, body: readonly Statement[]): Expression | null {
  if (node.type === 'TSAsExpression' || node.type === 'TSSatisfiesExpression') return resultOf(node.expression, body)
  if (node.type === 'Identifier') {
    const found = initialValue(node.name, body)
    return found === null ? null : resultOf(found, body)
  }
  if (node.type !== 'ArrowFunctionExpression' && node.type !== 'FunctionExpression') return node
  if (node.body.type !== 'BlockStatement') return resultOf(node.body, body)
  const inner = node.body.body
  const returned = inner.findLast(one => one.type === 'ReturnStatement')
  return returned?.argument ? resultOf(returned.argument, [...inner, ...body]) : null
}

function initialValue(name: string, body: readonly Statement[]): Expression | null {
  for (const statement of body) {
    if (statement.type !== 'VariableDeclaration') continue
    const found = statement.declarations.find(one => one.id.type === 'Identifier' && one.id.name === name)
    if (found?.init) return found.init
  }
  return null
}

/** The members of an object; null if some of them are spread or computed. */
export function membersOf(node: Expression | null): Member[] | null {
  if (node?.type !== 'ObjectExpression') return null
  const members: Member[] = []
  for (const one of node.properties) {
    if (one.type !== 'ObjectProperty' || one.computed) return null
    const { key } = one
    const name = key.type === 'Identifier' ? key.name : key.type === 'StringLiteral' ? key.value : null
    if (name === null) return null
    members.push({ name, value: one.value as Expression, start: one.start!, end: one.end! })
  }
  return members
}

/** The member of that name; undefined if the object has none. */
export function memberOf(node: Expression | null, name: string): Expression | undefined {
  return membersOf(node)?.find(one => one.name === name)?.value
}

/** Whether an expression needs nothing but `env`, `process` and literals, so that it means the same in another file. */
export function isSelfContained(text: string, { start, end }: { start?: number | null; end?: number | null }): boolean {
  const words = tokensOf(`(${text.slice(start!, end!)})`)
  return words.every(({ label, value }, i) => {
    if (label !== 'name') return true
    const isMember = words[i - 1]?.label === '.' || words[i + 1]?.label === ':'
    return isMember || ['env', 'process', 'undefined'].includes(value)
  })
}
