// Writes a file of a TypeScript project of v4 as a module that Node runs as it is. v4 compiled such files to CommonJS,
// which has `require`, `__dirname` and paths without endings, and where imports of types are gone. Knows texts only.

import { isBuiltin } from 'node:module'
import MagicString from 'magic-string'
import { type Node, nodesIn, statementsOf, usesIn } from './syntax-tree.ts'

/** A file of the application that another one imports. */
export interface ImportedFile {
  /** The path, as the import needs it. */
  readonly specifier: string
  /** True if it is CommonJS, so that its names are those of its default export. */
  readonly isCommonJs: boolean
}

/** The input of a text. */
export interface ModuleSource {
  readonly text: string
  /** The folder from which v4 has run the built file, relative to that of the file: `../dist/config`. */
  readonly built: string
  /** The file that a relative path stands for; null if the application does not have it. */
  readonly resolve: (source: string) => ImportedFile | null
  /** True if it stays CommonJS, so that only its paths are completed. */
  readonly stays: boolean
}

/** The module, and what somebody has to do for it to run. */
export interface Module {
  readonly text: string
  readonly notes: readonly string[]
}

/** Returns whether a program has the form of CommonJS: no statement of it imports or exports. Throws SyntaxError. */
export function isCommonJs(text: string): boolean {
  return !statementsOf(text).some(one => /^(?:Import|Export|TSExport|TSImport)/.test(one.type))
}

/** Throws SyntaxError. */
export function moduleForm(source: ModuleSource): Module {
  return new ModuleWriter(source).write()
}

class ModuleWriter {
  readonly #source: ModuleSource
  readonly #edited: MagicString
  readonly #statements: readonly Node[]
  readonly #notes: string[] = []
  /** Names of types of v4's packages, which are not installed. */
  readonly #typesOfV4 = new Set<string>()
  #needsRequire = false

  constructor(source: ModuleSource) {
    this.#source = source
    this.#edited = new MagicString(source.text)
    this.#statements = statementsOf(source.text)
  }

  write(): Module {
    for (const statement of this.#statements) {
      if (statement.type === 'ImportDeclaration') this.#import(statement)
      else if (statement.type === 'TSImportEqualsDeclaration') this.#importEquals(statement)
      else if (statement.source) this.#complete(statement.source as Node)
      else if (statement.type === 'TSExportAssignment')
        this.#edited.overwrite(statement.start, (statement.expression as Node).start, 'export default ')
    }
    for (const { node } of nodesIn(this.#statements)) this.#visit(node)
    for (const { node } of [...nodesIn(this.#statements)].filter(({ node }) => isReference(node)))
      if (this.#typesOfV4.has(rootOf(node))) this.#edited.overwrite(node.start, node.end, 'any')
    if (!this.#source.stays) this.#commonJs()
    return { text: this.#edited.toString(), notes: [...new Set(this.#notes)] }
  }

  #import(statement: Node): void {
    const source = statement.source as Node
    const name = String(source.value)
    const specifiers = statement.specifiers as readonly Node[]
    const isWholeType = statement.importKind === 'type'
    const types = isWholeType ? specifiers : specifiers.filter(one => one.importKind === 'type' || this.#isType(one))
    if (name.startsWith('@strapi/')) {
      this.#importOfV4(statement, types)
      return
    }
    const file = this.#source.resolve(name)
    if (!isWholeType && types.length > 0) this.#markTypes(statement, types)
    const namedImports = specifiers.filter(one => one.type === 'ImportSpecifier' && !types.includes(one))
    const isForeign = !/^[./#]/.test(name) && !isBuiltin(name) && !name.startsWith('@plinth/')
    if (namedImports.length > 0 && types.length === 0 && (isForeign || file?.isCommonJs))
      this.#require(statement, namedImports, file)
    else this.#complete(source)
  }

  /** Names of CommonJS are members of what it exports as a whole. */
  #require(statement: Node, namedImports: readonly Node[], file: ImportedFile | null): void {
    const source = JSON.stringify(file?.specifier ?? (statement.source as Node).value).replaceAll('"', "'")
    const whole = (statement.specifiers as readonly Node[]).find(one => !namedImports.includes(one))
    const members = namedImports.map(one => {
      const [imported, local] = [nameOf(one.imported as Node), nameOf(one.local as Node)]
      return imported === local ? local : `${imported}: ${local}`
    })
    const names = `const { ${members.join(', ')} } = require(${source})`
    const wholeImport = whole === undefined ? '' : `import ${nameOf(whole.local as Node)} from ${source}\n`
    this.#edited.overwrite(statement.start, statement.end, `${wholeImport}${names}`)
    this.#needsRequire = true
  }

  /** Types of v4 become `any`, and its `env` is that of the kernel. */
  #importOfV4(statement: Node, types: readonly Node[]): void {
    const specifiers = statement.specifiers as readonly Node[]
    const isEnv =
      specifiers.length > 0 && specifiers.every(one => nameOf((one.imported ?? one.local) as Node) === 'env')
    if (isEnv && types.length < specifiers.length) {
      const names = specifiers.map(one => nameOf(one.local as Node))
      const bindings = names.map(one => (one === 'env' ? 'env' : `env as ${one}`))
      this.#edited.overwrite(statement.start, statement.end, `import { ${bindings.join(', ')} } from '@plinth/kernel'`)
      return
    }
    const used = specifiers.filter(one => this.#usesOf(one).length > 0)
    if (used.some(one => !types.includes(one))) {
      this.#notes.push(`uses ${(statement.source as Node).value}, which the application does not have`)
      return
    }
    for (const one of specifiers) this.#typesOfV4.add(nameOf(one.local as Node))
    this.#edited.remove(statement.start, this.#lineEnd(statement.end))
  }

  #lineEnd(end: number): number {
    const [behind = ''] = /^;?[^\S\n]*\n?/.exec(this.#source.text.slice(end)) ?? []
    return end + behind.length
  }

  /** Imports of types are gone when a compiler has run, and Node must be told so. */
  #markTypes(statement: Node, types: readonly Node[]): void {
    if (types.length === (statement.specifiers as readonly Node[]).length) {
      this.#edited.appendLeft(statement.start + 'import'.length, ' type')
      return
    }
    for (const one of types)
      if (one.type === 'ImportSpecifier' && one.importKind !== 'type') this.#edited.appendLeft(one.start, 'type ')
  }

  #usesOf(specifier: Node) {
    const name = nameOf(specifier.local as Node)
    return usesIn(this.#statements).filter(one => one.name === name)
  }

  #isType(specifier: Node): boolean {
    const uses = this.#usesOf(specifier)
    return uses.length > 0 && uses.every(one => one.isType)
  }

  #importEquals(statement: Node): void {
    const reference = statement.moduleReference as Node
    if (reference.type !== 'TSExternalModuleReference') return
    const source = reference.expression as Node
    const file = this.#source.resolve(String(source.value))
    this.#edited.overwrite(
      statement.start,
      statement.end,
      `import ${nameOf(statement.id as Node)} from '${file?.specifier ?? source.value}'`,
    )
  }

  /** Completes the ending of a path. */
  #complete(source: Node): void {
    const file = this.#source.resolve(String(source.value))
    if (file === null) return
    const attribute = file.specifier.endsWith('.json') ? " with { type: 'json' }" : ''
    this.#edited.overwrite(source.start, source.end, `'${file.specifier}'${attribute}`)
  }

  #visit(node: Node): void {
    const [first] = (node.arguments as readonly Node[] | undefined) ?? []
    const callee = node.callee as Node | undefined
    const isRequire = node.type === 'CallExpression' && callee?.type === 'Identifier' && callee.name === 'require'
    const isImport = node.type === 'ImportExpression'
    const source = isImport ? (node.source as Node) : isRequire ? first : undefined
    const file = source?.type === 'StringLiteral' ? this.#source.resolve(String(source.value)) : null
    if (file !== null) this.#edited.overwrite(source!.start, source!.end, `'${file.specifier}'`)
    if (node.type === 'TSEnumDeclaration' && node.declare !== true)
      this.#notes.push('has an enum, which Node does not run: write it as a constant object')
    if (node.type === 'TSModuleDeclaration' && node.declare !== true && node.body)
      this.#notes.push('has a namespace, which Node does not run: write it as a constant object')
    if (node.type === 'TSParameterProperty')
      this.#notes.push('has a parameter property, which Node does not run: write it as a property of the class')
  }

  /** Gives the file the names that CommonJS has. */
  #commonJs(): void {
    const uses = usesIn(this.#statements)
    const whole = this.#wholeExport()
    const names = new Set(uses.map(one => one.name))
    const head: string[] = []
    if (names.has('require') || this.#needsRequire)
      head.push("import { createRequire } from 'node:module'", '', 'const require = createRequire(import.meta.url)')
    const built = `new URL('${this.#source.built}', import.meta.url)`
    if (names.has('__dirname') || names.has('__filename')) {
      head.unshift("import { fileURLToPath as pathOfUrl } from 'node:url'")
      if (names.has('__dirname')) head.push(`const __dirname = pathOfUrl(${built})`)
      if (names.has('__filename')) head.push('const __filename = pathOfUrl(import.meta.url)')
      this.#notes.push(
        `uses ${names.has('__dirname') ? '__dirname' : '__filename'}: copy the files that it finds by it, if there are any`,
      )
    }
    if (whole !== null) this.#edited.overwrite(whole.start, whole.end, 'export default ')
    else if (uses.some(one => one.name === 'module' || one.name === 'exports')) {
      head.push('const module = { exports: Object.create(null) }')
      if (names.has('exports')) head.push('const exports = module.exports')
      this.#edited.append('\nexport default module.exports\n')
    }
    if (head.length > 0) this.#edited.prepend(`${head.join('\n')}\n\n`)
  }

  /** The place of `module.exports =`, if a statement exports everything at once, and nothing else uses these names. */
  #wholeExport(): { readonly start: number; readonly end: number } | null {
    const assignments = this.#statements.flatMap(one => {
      const expression = one.type === 'ExpressionStatement' ? (one.expression as Node) : null
      return expression?.type === 'AssignmentExpression' ? [expression] : []
    })
    const text = this.#source.text
    const match = /^(?:exports\s*=\s*)?module\.exports\s*=\s*(?:exports\s*=\s*)?|^(?:module\.)?exports\.default\s*=\s*/
    const edits = assignments.flatMap(({ start, end }) => {
      const [head] = match.exec(text.slice(start, end)) ?? []
      return head === undefined ? [] : [{ start, end: start + head.length }]
    })
    const [whole] = edits
    if (whole === undefined || edits.length > 1) return null
    const others = usesIn(this.#statements).filter(
      ({ name, node }) =>
        (name === 'module' || name === 'exports') && (node.start < whole.start || node.start >= whole.end),
    )
    return others.length === 0 ? whole : null
  }
}

const nameOf = (node: Node) => String(node.name ?? node.value)

/** Returns whether it names a type. */
const isReference = ({ type }: Node) => ['TSTypeReference', 'TSImportType', 'TSTypeQuery'].includes(type)

/** The first name of a type: `A` of `A.B.C`. `import('@strapi/x')` stands for a name of v4's. */
function rootOf(node: Node): string {
  let inner = (node.typeName ?? node.exprName ?? node.argument ?? node) as Node
  while (inner.type === 'TSQualifiedName') inner = inner.left as Node
  return String(inner.name ?? '')
}
