// Reads code of a v4 project as syntax: what a file needs of others, and whether it does anything at all. Knows texts
// only; no code of the project runs.

import { isBuiltin } from 'node:module'
import { type Expression, exportedValue, programOf, type Statement, tokensOf } from '@plinth/v4/syntax'

/** The files and packages that a file needs. */
export interface Needs {
  /** Packages, without the modules of Node. */
  readonly packages: readonly string[]
  /** Paths of other files, as they are written. */
  readonly files: readonly string[]
  /** True if it uses the global `strapi`, or a package of v4. */
  readonly usesStrapi: boolean
}

export function needsOf(text: string): Needs {
  const tokens = tokensOf(text)
  const sources: string[] = []
  const names: string[] = []
  for (const [i, { label, value }] of tokens.entries()) {
    const before = tokens[i - 1]
    if (label === 'name' && before?.label !== '.' && before?.label !== '?.') names.push(value)
    const opener = before?.label === '(' ? tokens[i - 2] : before
    if (label === 'string' && ['from', 'import', 'require'].includes(opener?.value ?? '')) sources.push(value)
  }
  const foreign = sources.filter(one => !isBuiltin(one))
  const files = foreign.filter(isPath)
  const packages = foreign.filter(one => !isPath(one)).map(packageOf)
  return {
    files,
    packages: packages.filter(one => !one.startsWith('@strapi/')),
    usesStrapi: names.includes('strapi') || packages.some(one => one.startsWith('@strapi/')),
  }
}

const isPath = (source: string) => source.startsWith('.') || source.startsWith('/')

function packageOf(source: string): string {
  return source
    .split('/')
    .slice(0, source.startsWith('@') ? 2 : 1)
    .join('/')
}

/** Returns whether a file only exports what a factory of v4 makes of the name of a type. */
export function isPlainFactory(text: string): boolean {
  const value = exportedValue(text)
  if (value?.type !== 'CallExpression' || value.arguments.length !== 1) return false
  const { callee } = value
  const name = callee.type === 'MemberExpression' ? callee.property : callee
  const isFactory = name.type === 'Identifier' && /^createCore(?:Controller|Service|Router)$/.test(name.name)
  return isFactory && hasOnlyImports(text)
}

/** Returns whether a file only exports functions that do nothing, as the generator of v4 writes src/index. */
export function isEmptyModule(text: string): boolean {
  const value = exportedValue(text)
  if (value?.type !== 'ObjectExpression') return false
  return value.properties.every(isIdle) && hasOnlyImports(text)
}

function isIdle(member: Extract<Expression, { type: 'ObjectExpression' }>['properties'][number]): boolean {
  if (member.type === 'ObjectMethod') return member.body.body.length === 0
  if (member.type !== 'ObjectProperty') return false
  const { value } = member
  const isFunction = value.type === 'FunctionExpression' || value.type === 'ArrowFunctionExpression'
  return isFunction && value.body.type === 'BlockStatement' && value.body.body.length === 0
}

/** Returns whether there is nothing beside the export but imports. */
function hasOnlyImports(text: string): boolean {
  const others = programOf(text).filter(one => !isImport(one))
  return others.length === 1
}

/** Returns whether a statement only imports: by `import`, or as a constant that is `require('…')`. */
function isImport(statement: Statement): boolean {
  if (statement.type === 'ImportDeclaration') return true
  if (statement.type !== 'VariableDeclaration' || statement.declarations.length !== 1) return false
  return requiredBy(statement.declarations[0]!.init as Expression | null) !== null
}

/** `x` of `require('x')`, also if a member of it is taken. */
function requiredBy(node: Expression | null): string | null {
  if (node?.type === 'MemberExpression') return requiredBy(node.object as Expression)
  if (node?.type !== 'CallExpression' || node.callee.type !== 'Identifier' || node.callee.name !== 'require')
    return null
  const [source] = node.arguments
  return source?.type === 'StringLiteral' ? source.value : null
}
