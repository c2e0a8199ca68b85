// Reads code of a v4 project as syntax: what a file needs of others, and whether it does anything at all. Knows texts only;
// no code of the project runs.

import { isBuiltin } from 'node:module'
import MagicString from 'magic-string'
import { type Expression, exportedValue, programOf, type Statement, tokensOf } from '@plinth/v4/syntax'

/** What a file needs of others. */
export interface Needs {
  /** Packages, without the modules of Node. */
  readonly packages: readonly string[]
  /** Paths of other files, as they are written. */
  readonly files: readonly string[]
  /** Whether it uses the global `strapi`, or a package of v4. */
  readonly usesStrapi: boolean
  /** The first name that only CommonJS has, such as `__dirname`; undefined if there is none. */
  readonly commonJs: string | undefined
}

const ofCommonJs = ['__dirname', '__filename', 'require', 'module']

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
    commonJs: ofCommonJs.find(one => names.includes(one)),
  }
}

const isPath = (source: string) => source.startsWith('.') || source.startsWith('/')

function packageOf(source: string): string {
  return source
    .split('/')
    .slice(0, source.startsWith('@') ? 2 : 1)
    .join('/')
}

/** Whether a file only exports what a factory of v4 makes of the name of a type. */
export function isPlainFactory(text: string): boolean {
  const value = exportedValue(text)
  if (value?.type !== 'CallExpression' || value.arguments.length !== 1) return false
  const { callee } = value
  const name = callee.type === 'MemberExpression' ? callee.property : callee
  const isFactory = name.type === 'Identifier' && /^createCore(?:Controller|Service|Router)$/.test(name.name)
  return isFactory && hasOnlyImports(text)
}

/** Whether a file only exports functions that do nothing, as the generator of v4 writes src/index. */
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

/** Whether there is nothing beside the export but imports. */
function hasOnlyImports(text: string): boolean {
  const others = programOf(text).filter(one => importedBy(one) === null)
  return others.length === 1
}

/** An import, or a constant that is `require('…')`. */
interface Import {
  readonly source: string
  /** The names that it declares. */
  readonly names: readonly string[]
}

function importedBy(statement: Statement): Import | null {
  if (statement.type === 'ImportDeclaration')
    return { source: statement.source.value, names: statement.specifiers.map(one => one.local.name) }
  if (statement.type !== 'VariableDeclaration' || statement.declarations.length !== 1) return null
  const [{ id, init }] = statement.declarations as [(typeof statement.declarations)[number]]
  const source = requiredBy(init as Expression | null)
  if (source === null) return null
  if (id.type === 'Identifier') return { source, names: [id.name] }
  const names = id.type === 'ObjectPattern' ? id.properties.map(one => ('value' in one ? one.value : null)) : []
  return { source, names: names.flatMap(one => (one?.type === 'Identifier' ? [one.name] : [])) }
}

/** `x` of `require('x')`, also if a member of it is taken. */
function requiredBy(node: Expression | null): string | null {
  if (node?.type === 'MemberExpression') return requiredBy(node.object as Expression)
  if (node?.type !== 'CallExpression' || node.callee.type !== 'Identifier' || node.callee.name !== 'require')
    return null
  const [source] = node.arguments
  return source?.type === 'StringLiteral' ? source.value : null
}

/** The names that a file imports from sources for which `isMeant` holds. */
export function importedNames(text: string, isMeant: (source: string) => boolean): string[] {
  return programOf(text).flatMap(statement => {
    const found = importedBy(statement)
    return found !== null && isMeant(found.source) ? found.names : []
  })
}

/** The text without the imports of which nothing is used. */
export function withoutUnusedImports(text: string): string {
  const edited = new MagicString(text)
  const used = tokensOf(text).filter(({ label }) => label === 'name')
  for (const statement of programOf(text)) {
    const { names = [] } = importedBy(statement) ?? {}
    const [start, end] = [statement.start!, statement.end!]
    const isUsed = used.some(one => names.includes(one.value) && (one.start < start || one.start >= end))
    if (names.length === 0 || isUsed) continue
    const [behind = ''] = /^;?[^\S\n]*\n?/.exec(text.slice(end)) ?? []
    edited.remove(start, end + behind.length)
  }
  return edited.toString().trimStart()
}
