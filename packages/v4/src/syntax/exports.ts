// Finds what a file exports: `module.exports = …`, `exports.default = …`, `export default`, `export =` and names. A
// file whose statements do more than declare and export has a fault: its exports may be changed by what it does.

import type { Declaration } from './declared.ts'
import { bare, type Expression, type Node, nameOf, type Statement, walk } from './tree.ts'

export interface Exports {
  /** The whole of what is exported; null if only names are. */
  readonly whole: Expression | null
  readonly named: ReadonlyMap<string, Declaration>
  /** The reason why the exports could not be read; null if they could. */
  readonly fault: { readonly why: string; readonly node: Node } | null
}

/** The exports of one statement. */
interface MutableExports {
  whole: Expression | null
  readonly named: Map<string, Declaration>
  fault: Exports['fault']
}

export function exportsOf(program: readonly Statement[]): Exports {
  const exported: MutableExports = { whole: null, named: new Map(), fault: null }
  for (const statement of program) read(statement, exported)
  // `module.exports.find = …` behind `module.exports = {…}` adds to the whole, or changes it.
  const added = program.find(one => addsToWhole(one))
  if (exported.whole !== null && added !== undefined)
    exported.fault ??= { why: 'it adds to what it exports as a whole', node: added }
  // Beside the assignments that `read` knows, `module` and `exports` may be written anywhere.
  const statements = program.filter(one => exportedBy(one) === null)
  walk(statements as unknown as Node[], (node, above) => {
    const { name } = node as Node & { readonly name?: string }
    const parent = above.at(-1)
    const isMember = parent?.type === 'MemberExpression' && (parent as { property?: unknown }).property === node
    if (node.type !== 'Identifier' || isMember || parent?.type === 'ObjectProperty') return
    if ((name === 'module' || name === 'exports') && !isMarker(above[0]))
      exported.fault ??= { why: 'its exports are used by its code', node }
  })
  return exported
}

function read(statement: Statement, exported: MutableExports): void {
  const assigned = exportedBy(statement)
  if (assigned !== null) {
    if (assigned.name !== null) exported.named.set(assigned.name, { kind: 'value', node: assigned.value })
    else if (exported.whole !== null) exported.fault ??= { why: 'it exports twice', node: statement }
    else exported.whole = assigned.value
    return
  }
  switch (statement.type) {
    case 'ExportNamedDeclaration':
      readNamed(statement, exported)
      break
    case 'ExportAllDeclaration':
      exported.fault ??= { why: 'it exports all of another file', node: statement }
      break
    case 'ImportDeclaration':
    case 'VariableDeclaration':
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
    case 'EmptyStatement':
    case 'TSImportEqualsDeclaration':
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
    case 'TSModuleDeclaration':
    case 'TSEnumDeclaration':
      break
    default:
      if (!isMarker(statement)) exported.fault ??= { why: 'it does more than declare and export', node: statement }
  }
}

type NamedExport = Extract<Statement, { type: 'ExportNamedDeclaration' }>

function readNamed({ declaration, specifiers, source }: NamedExport, exported: MutableExports): void {
  for (const one of specifiers) {
    if (one.type !== 'ExportSpecifier') continue
    const name = nameOf(one.exported as Node, false) ?? ''
    const value: Declaration = source
      ? { kind: 'import', source: source.value, path: [nameOf(one.local as Node, false) ?? ''] }
      : { kind: 'value', node: one.local as unknown as Expression }
    if (name !== 'default') exported.named.set(name, value)
    else if (value.kind === 'value') exported.whole = value.node
    else exported.fault ??= { why: 'it exports what another file does', node: one }
  }
  if (declaration?.type === 'FunctionDeclaration' && declaration.id)
    exported.named.set(declaration.id.name, { kind: 'function', node: declaration })
  if (declaration?.type !== 'VariableDeclaration') return
  for (const { id, init } of declaration.declarations)
    if (id.type === 'Identifier' && init)
      exported.named.set(id.name, { kind: 'value', node: id as unknown as Expression })
}

/** Returns what a statement exports as a whole, or by a name; null if it is not such a statement. */
function exportedBy(statement: Statement): { readonly name: string | null; readonly value: Expression } | null {
  if (statement.type === 'ExportDefaultDeclaration') return { name: null, value: statement.declaration as Expression }
  if (statement.type === 'TSExportAssignment') return { name: null, value: statement.expression as Expression }
  return statement.type === 'ExpressionStatement' ? assignedBy(statement.expression as Expression) : null
}

function assignedBy(assignment: Expression): { readonly name: string | null; readonly value: Expression } | null {
  const expression = bare(assignment)
  if (expression.type !== 'AssignmentExpression' || expression.operator !== '=') return null
  const path = pathOf(expression.left as Node)
  const value = expression.right as Expression
  // `exports = module.exports = …`
  if (value.type === 'AssignmentExpression' && (path === 'exports' || path === 'module.exports'))
    return assignedBy(value)
  // `exports.default = void 0` only announces it.
  if (value.type === 'UnaryExpression' && value.operator === 'void') return null
  if (path === 'module.exports' || path === 'exports.default' || path === 'module.exports.default')
    return { name: null, value }
  const [, name] = /^(?:module\.)?exports\.([\w$]+)$/.exec(path ?? '') ?? []
  return name === undefined ? null : { name, value }
}

function addsToWhole(statement: Statement): boolean {
  if (statement.type !== 'ExpressionStatement') return false
  const expression = bare(statement.expression as Expression)
  if (expression.type !== 'AssignmentExpression') return false
  return /^module\.exports\.(?!default$)[\w$]+$/.test(pathOf(expression.left as Node) ?? '')
}

/** `a.b.c` of a chain of names; null for anything else. */
function pathOf(node: Node): string | null {
  const { name, object, property, computed } = node as Node & {
    readonly name?: string
    readonly object?: Node
    readonly property?: Node
    readonly computed?: boolean
  }
  if (node.type === 'Identifier') return name ?? null
  if (node.type !== 'MemberExpression' || object === undefined || property === undefined) return null
  const [before, last] = [pathOf(object), nameOf(property, computed === true)]
  return before === null || last === null ? null : `${before}.${last}`
}

/** `console.log(path)`: of names and texts, so that nothing is changed. */
function isPrinting({ callee, arguments: values }: Node & Readonly<Record<string, unknown>>): boolean {
  const isPlain = ({ type }: Node) => /^(?:Identifier|MemberExpression|TemplateLiteral|\w+Literal)$/.test(type)
  return /^console\.\w+$/.test(pathOf(callee as Node) ?? '') && (values as readonly Node[]).every(isPlain)
}

/**
 * The statements that compilers write before the exports: `__esModule`, `exports.a = void 0`, directives; and what only
 * prints.
 */
function isMarker(node: Node | undefined): boolean {
  if (node?.type !== 'ExpressionStatement') return false
  const { expression } = node as Node & { readonly expression: Node & Readonly<Record<string, unknown>> }
  if (expression.type === 'StringLiteral') return true
  if (expression.type === 'CallExpression') {
    if (isPrinting(expression)) return true
    const [target, name] = expression.arguments as readonly (Node & { readonly value?: unknown })[]
    const isDefine = pathOf(expression.callee as Node) === 'Object.defineProperty'
    return isDefine && target !== undefined && pathOf(target) === 'exports' && name?.value === '__esModule'
  }
  if (expression.type !== 'AssignmentExpression') return false
  const { right } = expression as unknown as { readonly right: Node & { readonly operator?: string } }
  const isVoid = right.type === 'UnaryExpression' && right.operator === 'void'
  return (
    /^exports\.[\w$]+$/.test(pathOf(expression.left as Node) ?? '') && (isVoid || right.type === 'AssignmentExpression')
  )
}
