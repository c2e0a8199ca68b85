// Finds the declarations of names, in a file or in the body of a function.

import { bare, type Callable, type Expression, type Node, nameOf, type Statement, walk } from './tree.ts'

/** A declaration of a name. */
export type Declaration =
  | { readonly kind: 'value'; readonly node: Expression }
  /** A member of a value, as `const { name } = node` takes it. */
  | { readonly kind: 'part'; readonly node: Expression; readonly name: string }
  | { readonly kind: 'function'; readonly node: Callable }
  /** The names that an import or a `require` takes, those behind the source. */
  | { readonly kind: 'import'; readonly source: string; readonly path: readonly string[] }
  /** Anything else: without a value, a class, taken from a list. */
  | { readonly kind: 'other'; readonly node: Node }

/** The declarations among statements, by name. */
export function declaredIn(statements: readonly Statement[]): Map<string, Declaration> {
  const declared = new Map<string, Declaration>()
  for (const statement of statements) declare(statement, declared)
  return declared
}

function declare(statement: Statement, declared: Map<string, Declaration>): void {
  switch (statement.type) {
    case 'ExportNamedDeclaration':
      if (statement.declaration) declare(statement.declaration as Statement, declared)
      break
    case 'ImportDeclaration':
      for (const one of statement.specifiers) {
        const path =
          one.type === 'ImportSpecifier'
            ? [nameOf(one.imported, false) ?? '']
            : one.type === 'ImportDefaultSpecifier'
              ? ['default']
              : []
        declared.set(one.local.name, { kind: 'import', source: statement.source.value, path })
      }
      break
    case 'FunctionDeclaration':
      if (statement.id) declared.set(statement.id.name, { kind: 'function', node: statement })
      break
    case 'ClassDeclaration':
      if (statement.id) declared.set(statement.id.name, { kind: 'other', node: statement })
      break
    case 'TSImportEqualsDeclaration': {
      const { moduleReference: from, id } = statement
      if (from.type === 'TSExternalModuleReference' && from.expression.type === 'StringLiteral')
        declared.set(id.name, { kind: 'import', source: from.expression.value, path: [] })
      break
    }
    case 'VariableDeclaration':
      for (const { id, init } of statement.declarations) declareVariable(id, init as Expression | null, declared)
  }
}

function declareVariable(id: Node, init: Expression | null, declared: Map<string, Declaration>): void {
  if (id.type === 'Identifier') {
    const { name } = id as Node & { readonly name: string }
    declared.set(name, init === null ? { kind: 'other', node: id } : { kind: 'value', node: init })
    return
  }
  const { properties = [] } = id as Node & {
    readonly properties?: readonly (Node & Readonly<Record<string, unknown>>)[]
  }
  for (const one of properties) {
    const value = one.value as (Node & { readonly name?: string }) | undefined
    const name = one.key === undefined ? null : nameOf(one.key as Node, one.computed === true)
    if (value?.type !== 'Identifier' || value.name === undefined) continue
    declared.set(
      value.name,
      name === null || init === null ? { kind: 'other', node: one } : { kind: 'part', node: init, name },
    )
  }
}

/** The options for what a function may do before it returns. */
export interface ReturnOptions {
  /**
   * True if it may also do other things, such as `if (host) list.push(host)`. Callers that allow this must know which
   * names are changed (touched.ts).
   */
  readonly mayAct: boolean
}

/** Returns what a function returns, and what its body declares before; null if it does anything else. */
export function returnedBy(
  callable: Callable,
  { mayAct }: ReturnOptions = { mayAct: false },
): { readonly value: Expression; readonly declared: Map<string, Declaration> } | null {
  const { body } = callable
  if (body.type !== 'BlockStatement') return { value: bare(body as Expression), declared: new Map() }
  const statements = body.body as readonly Statement[]
  const last = statements.at(-1)
  if (last?.type !== 'ReturnStatement' || !last.argument) return null
  const before = statements.slice(0, -1)
  const isDeclaration = ({ type }: Statement) => type === 'VariableDeclaration' || type === 'FunctionDeclaration'
  if (mayAct ? before.some(endsEarly) : !before.every(isDeclaration)) return null
  return { value: last.argument as Expression, declared: declaredIn(before.filter(isDeclaration)) }
}

/** Returns whether a statement may return or throw by itself, so that what stands at the end is not all. */
function endsEarly(statement: Statement): boolean {
  let ends = false
  walk([statement] as unknown as Node[], ({ type }) => {
    if (/Function|^ObjectMethod$|^ClassMethod$/.test(type)) return false
    ends ||= type === 'ReturnStatement'
    return undefined
  })
  return ends
}
