// A file of a project as syntax: what it exports, and what its expressions are, as far as they can be read. Follows
// names to their declarations, and imports to other files of the project; anything that would have to run is `unknown`.

import { type Declaration, declaredIn, type ReturnOptions, returnedBy } from './declared.ts'
import { type Exports, exportsOf } from './exports.ts'
import { type TouchedNames, touchedNames } from './touched.ts'
import {
  bare,
  type Call,
  type Callable,
  type Expression,
  type Member,
  type Node,
  nameOf,
  parseProgram,
  type Statement,
  templateText,
} from './tree.ts'
import { type Factory, memberOf, unknown, type Value, valueOfJson } from './values.ts'

/** Finds the file that `source` means in an import of the file `from`; null if there is none in the project. */
export type FindModule = (from: string, source: string) => SourceModule | null

/** The maximum number of names and files that are followed one after the other. */
const maxDepth = 40

type Scope = readonly ReadonlyMap<string, Declaration>[]

export class SourceModule {
  /** Relative to the project, with `/`. */
  readonly path: string
  readonly program: readonly Statement[]
  readonly exports: Exports
  readonly #find: FindModule
  readonly #top: Scope
  readonly #touched: TouchedNames
  readonly #json: Value | null
  #depth = 0

  /** Throws SyntaxError. */
  constructor(path: string, text: string, find: FindModule) {
    this.path = path
    this.#find = find
    this.#json = path.endsWith('.json') ? valueOfJson(JSON.parse(text)) : null
    this.program = this.#json === null ? parseProgram(text, path) : []
    this.exports = exportsOf(this.program)
    this.#top = [declaredIn(this.program)]
    this.#touched = touchedNames(this.program)
  }

  /** Returns what the file exports as a whole, as v4 takes it (B-13.2). */
  exported(): Value {
    if (this.#json !== null) return this.#json
    const { whole, named: declarations, fault } = this.exports
    if (fault !== null) return unknown(fault.why, fault.node)
    if (whole !== null) return this.evaluate(whole)
    const members = new Map([...declarations].map(([name, node]) => [name, this.#declared(node, this.#top)]))
    return members.size === 0
      ? unknown('it exports nothing that could be read')
      : { kind: 'object', members, isWhole: true }
  }

  /** Returns what a file exports by a name; `default` is the whole of it. */
  exportedBy(name: string): Value {
    if (name === 'default') return this.exported()
    const declaration = this.exports.named.get(name)
    if (declaration !== undefined && this.exports.fault === null) return this.#declared(declaration, this.#top)
    return memberOf(this.exported(), name) ?? unknown(`${this.path} does not export ${name} so that it could be read`)
  }

  /**
   * Returns the value of an expression of this file. `inner`: what is declared around it in functions, the nearest one
   * last.
   */
  evaluate(expression: Expression, scope: Scope = this.#top): Value {
    if (this.#depth >= maxDepth) return unknown('it is nested too deeply', expression)
    this.#depth++
    try {
      return this.#evaluate(bare(expression), scope)
    } finally {
      this.#depth--
    }
  }

  /** The declaration of a name of the file; undefined if it has none. */
  declaration(name: string): Declaration | undefined {
    return this.#top[0]!.get(name)
  }

  /** Returns what a function returns; unknown if it does more than declare and return, unless the options allow it. */
  resultOf(callable: Callable, options?: ReturnOptions): Value {
    const returned = returnedBy(callable, options)
    if (returned === null) return unknown('its function does more than return an object', callable)
    return this.evaluate(returned.value, [...this.#top, returned.declared])
  }

  #evaluate(node: Expression, scope: Scope): Value {
    switch (node.type) {
      case 'StringLiteral':
      case 'NumericLiteral':
      case 'BooleanLiteral':
        return { kind: 'literal', value: node.value }
      case 'NullLiteral':
        return { kind: 'literal', value: null }
      case 'TemplateLiteral': {
        const text = templateText(node)
        return text === null ? unknown('a text with expressions in it', node) : { kind: 'literal', value: text }
      }
      case 'ArrayExpression':
        return this.#list(node, scope)
      case 'ObjectExpression':
        return this.#object(node, scope)
      case 'ArrowFunctionExpression':
      case 'FunctionExpression':
        return { kind: 'function', node, file: this.path }
      case 'Identifier':
        return this.#named(node, scope)
      case 'MemberExpression':
        return this.#member(node, scope)
      case 'CallExpression':
        return this.#call(node, scope)
      default:
        return unknown('code that would have to run', node)
    }
  }

  #list({ elements }: Extract<Expression, { type: 'ArrayExpression' }>, scope: Scope): Value {
    let isWhole = true
    const items = elements.flatMap((one): readonly Value[] => {
      if (one === null) return []
      if (one.type !== 'SpreadElement') return [this.evaluate(one as Expression, scope)]
      const spread = this.evaluate(one.argument as Expression, scope)
      if (spread.kind === 'list' && spread.isWhole) return spread.items
      isWhole = false
      return spread.kind === 'list' ? spread.items : []
    })
    return { kind: 'list', items, isWhole }
  }

  #object({ properties }: Extract<Expression, { type: 'ObjectExpression' }>, scope: Scope): Value {
    const members = new Map<string, Value>()
    let isWhole = true
    for (const one of properties) {
      if (one.type === 'SpreadElement') {
        const spread = this.evaluate(one.argument as Expression, scope)
        if (spread.kind === 'object') for (const [name, value] of spread.members) members.set(name, value)
        isWhole &&= spread.kind === 'object' && spread.isWhole
        continue
      }
      const name = nameOf(one.key as Node, one.computed === true)
      if (name === null) isWhole = false
      else if (one.type === 'ObjectProperty') members.set(name, this.evaluate(one.value as Expression, scope))
      else if (one.kind === 'method') members.set(name, { kind: 'function', node: one, file: this.path })
      else members.set(name, unknown('a getter', one))
    }
    return { kind: 'object', members, isWhole }
  }

  #named(node: Extract<Expression, { type: 'Identifier' }>, scope: Scope): Value {
    const { name } = node
    if (name === 'undefined') return { kind: 'literal', value: undefined }
    const declared = scope.findLast(one => one.has(name))?.get(name)
    if (declared === undefined) return unknown(`${name} is not declared in the file`, node)
    const value = this.#declared(declared, scope)
    const { assigned, changed } = this.#touched
    const isFixed = declared.kind === 'import' || ['literal', 'function', 'package'].includes(value.kind)
    const isChanged = assigned.has(name) || (changed.has(name) && !isFixed)
    return isChanged ? unknown(`${name} is changed by code`, node) : value
  }

  #declared(declared: Declaration, scope: Scope): Value {
    switch (declared.kind) {
      case 'value':
        return this.evaluate(declared.node, scope)
      case 'function':
        return { kind: 'function', node: declared.node, file: this.path }
      case 'import':
        return this.#imported(declared.source, declared.path)
      case 'part':
        return this.#memberOf(this.evaluate(declared.node, scope), declared.name)
      default:
        return unknown('it is declared in a way that would have to run', declared.node)
    }
  }

  #imported(source: string, path: readonly string[]): Value {
    if (!source.startsWith('.')) return { kind: 'package', name: source, path }
    const module = this.#find(this.path, source)
    if (module === null) return unknown(`the file ${source} could not be read`)
    const [first = 'default', ...names] = path
    return names.reduce((value, name) => this.#memberOf(value, name), module.exportedBy(first))
  }

  #member(node: Member, scope: Scope): Value {
    const name = nameOf(node.property as Node, node.computed)
    const object = this.evaluate(node.object as Expression, scope)
    return name === null
      ? unknown('a member with a name that would have to run', node)
      : this.#memberOf(object, name, node)
  }

  #memberOf(value: Value, name: string, node: Node | null = null): Value {
    if (value.kind === 'package') return { ...value, path: [...value.path, name] }
    if (value.kind === 'object' && value.members.has(name)) return value.members.get(name)!
    return unknown(`${name} of what could not be read`, node)
  }

  #call(node: Call, scope: Scope): Value {
    const required = requiredBy(node)
    if (required !== null) return this.#imported(required, [])
    const callee = this.evaluate(node.callee as Expression, scope)
    const factory = callee.kind === 'package' ? factoryOf(callee) : null
    if (factory === null) return unknown('a call that would have to run', node)
    if (node.arguments.some(one => one.type === 'SpreadElement')) return unknown('arguments that are spread', node)
    const args = node.arguments.map(one => this.evaluate(one as Expression, scope))
    return { kind: 'factory', factory, args, node }
  }
}

/** `x` of `require('x')`. */
function requiredBy({ callee, arguments: [source] }: Call): string | null {
  const isRequire = callee.type === 'Identifier' && callee.name === 'require'
  return isRequire && source?.type === 'StringLiteral' ? source.value : null
}

function factoryOf({ name, path }: Extract<Value, { kind: 'package' }>): Factory | null {
  const last = path.at(-1)
  const isOne = last === 'createCoreRouter' || last === 'createCoreController' || last === 'createCoreService'
  return isOne && name.startsWith('@strapi/') ? last : null
}
