// Interprets the part of the language in which settings are written. Nothing of it reaches the process: what is not
// known, such as a call of a package, is `unread`, and so is what is made of it.

import { parseProgram } from '../syntax/tree.ts'
import type { Node } from './node.ts'
import { binary, functions, member, unary, unread } from './operators.ts'

export { unread } from './operators.ts'

/** Values by names; inner scopes come first. */
export type Scope = Map<string, unknown>

/** The end of a list of statements: by a return with a value, or not. */
type StatementsEnd = { readonly value: unknown } | null

/** The deepest nesting of calls, so that code that calls itself ends. */
const maxCalls = 50

export class Interpreter {
  readonly #globals: Scope
  #calls = 0

  constructor(globals: Scope) {
    this.#globals = globals
  }

  /** Returns what `work` returns; unread if it throws. */
  static attempt(work: () => unknown): unknown {
    try {
      return work()
    } catch {
      return unread
    }
  }

  /** Returns what a module exports: `module.exports`, or an object with the members of its exports. */
  module(text: string): unknown {
    const exported: Record<string, unknown> = {}
    const module = { exports: exported as unknown }
    const scope: Scope = new Map<string, unknown>([
      ['module', module],
      ['exports', exported],
    ])
    const scopes = [scope, this.#globals]
    Interpreter.attempt(() =>
      this.#run(parseProgram(text, 'settings.ts') as unknown as readonly Node[], scopes, exported),
    )
    return module.exports
  }

  #run(statements: readonly Node[], scopes: readonly Scope[], exported: Record<string, unknown> = {}): StatementsEnd {
    for (const one of statements)
      if (one.type === 'FunctionDeclaration') scopes[0]!.set(one.id.name, this.#function(one, scopes))
    for (const one of statements) {
      const ended = this.#statement(one, scopes, exported)
      if (ended !== null) return ended
    }
    return null
  }

  #statement(one: Node, scopes: readonly Scope[], exported: Record<string, unknown>): StatementsEnd {
    switch (one.type) {
      case 'VariableDeclaration':
        for (const { id, init } of one.declarations)
          this.#bind(id, init ? this.#value(init, scopes) : undefined, scopes[0]!)
        return null
      case 'ImportDeclaration':
        this.#import(one, scopes[0]!)
        return null
      case 'TSImportEqualsDeclaration':
        scopes[0]!.set(one.id.name, this.#require(one.moduleReference.expression?.value))
        return null
      case 'ExportDefaultDeclaration':
        exported.default = this.#declared(one.declaration!, scopes)
        return null
      case 'TSExportAssignment':
        exported.default = this.#value(one.expression, scopes)
        return null
      case 'ExportNamedDeclaration':
        return this.#exportNamed(one, scopes, exported)
      case 'ReturnStatement':
        return { value: one.argument ? this.#value(one.argument, scopes) : undefined }
      case 'ExpressionStatement':
        this.#value(one.expression, scopes)
        return null
      case 'BlockStatement':
        return this.#run(one.body as readonly Node[], [new Map(), ...scopes])
      case 'IfStatement': {
        const test = this.#value(one.test, scopes)
        const branch = test === unread ? null : test ? one.consequent : one.alternate
        return branch ? this.#statement(branch, scopes, exported) : null
      }
      default:
        return null
    }
  }

  #declared(node: Node, scopes: readonly Scope[]): unknown {
    return /Function/.test(node.type) ? this.#function(node, scopes) : this.#value(node, scopes)
  }

  #exportNamed(one: Node, scopes: readonly Scope[], exported: Record<string, unknown>): StatementsEnd {
    if (one.declaration) {
      this.#run([one.declaration], scopes)
      const names = one.declaration.id ? [one.declaration.id] : one.declaration.declarations?.map(each => each.id)
      for (const id of names ?? []) if (id.name) exported[id.name] = this.#named(id.name, scopes)
    }
    for (const { local, exported: name } of one.specifiers ?? [])
      if (local?.name) exported[name.name ?? String(name.value)] = this.#named(local.name, scopes)
    return null
  }

  #import(one: Node, scope: Scope): void {
    const whole = this.#require(one.source.value) as Record<string, unknown> | symbol
    const of = (name: string) => (whole === unread ? unread : (whole as Record<string, unknown>)?.[name])
    for (const { type, local, imported } of one.specifiers) {
      const value =
        type === 'ImportSpecifier'
          ? of(imported.name ?? String(imported.value))
          : type === 'ImportDefaultSpecifier'
            ? (of('default') ?? whole)
            : whole
      scope.set(local.name, value)
    }
  }

  #require(path: unknown): unknown {
    return (this.#globals.get('require') as (path: unknown) => unknown)(path)
  }

  #named(name: string, scopes: readonly Scope[]): unknown {
    const scope = scopes.find(one => one.has(name))
    if (scope !== undefined) return scope.get(name)
    if (name === 'undefined') return undefined
    return Object.hasOwn(functions, name) ? functions[name] : unread
  }

  #bind(pattern: Node, value: unknown, scope: Scope): void {
    if (pattern.type === 'Identifier') scope.set(pattern.name, value)
    if (pattern.type === 'AssignmentPattern')
      this.#bind(pattern.left, value === undefined ? this.#value(pattern.right, [scope, this.#globals]) : value, scope)
    if (pattern.type !== 'ObjectPattern') return
    for (const one of pattern.properties)
      if (one.type === 'ObjectProperty' && !one.computed)
        this.#bind(one.value as Node, member(value, one.key.name ?? one.key.value), scope)
  }

  #function(node: Node, scopes: readonly Scope[]) {
    return (...args: unknown[]): unknown => {
      if (this.#calls >= maxCalls) return unread
      this.#calls++
      try {
        const inner: Scope = new Map()
        for (const [i, one] of node.params.entries()) this.#bind(one, args[i], inner)
        const all = [inner, ...scopes]
        const body = node.body as Node
        if (body.type !== 'BlockStatement') return this.#value(body, all)
        return this.#run(body.body as readonly Node[], all)?.value
      } finally {
        this.#calls--
      }
    }
  }

  #value(node: Node, scopes: readonly Scope[]): unknown {
    switch (node.type) {
      case 'StringLiteral':
      case 'NumericLiteral':
      case 'BooleanLiteral':
        return node.value
      case 'NullLiteral':
        return null
      case 'Identifier':
        return this.#named(node.name, scopes)
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'TSNonNullExpression':
      case 'TSTypeAssertion':
      case 'ParenthesizedExpression':
        return this.#value(node.expression, scopes)
      case 'AwaitExpression':
        return this.#value(node.argument!, scopes)
      case 'TemplateLiteral':
        return this.#template(node, scopes)
      case 'ArrayExpression':
        return node.elements.flatMap(one => this.#element(one, scopes))
      case 'ObjectExpression':
        return this.#object(node, scopes)
      case 'ArrowFunctionExpression':
      case 'FunctionExpression':
        return this.#function(node, scopes)
      case 'MemberExpression':
      case 'OptionalMemberExpression':
        return member(
          this.#value(node.object, scopes),
          node.computed ? this.#value(node.property, scopes) : node.property.name,
        )
      case 'CallExpression':
      case 'OptionalCallExpression':
        return this.#call(node, scopes)
      case 'ConditionalExpression':
        return this.#choose(node, scopes)
      case 'LogicalExpression':
        return this.#logical(node, scopes)
      case 'UnaryExpression':
        return unary(node.operator, this.#value(node.argument!, scopes))
      case 'BinaryExpression':
        return binary(node.operator, this.#value(node.left, scopes), this.#value(node.right, scopes))
      case 'AssignmentExpression':
        return this.#assign(node, scopes)
      default:
        return unread
    }
  }

  #template({ quasis, expressions }: Node, scopes: readonly Scope[]): unknown {
    const values = expressions.map(one => this.#value(one, scopes))
    if (values.includes(unread)) return unread
    return quasis.map((one, i) => `${one.value.cooked}${i < values.length ? String(values[i]) : ''}`).join('')
  }

  #element(one: Node | null, scopes: readonly Scope[]): unknown[] {
    if (one === null) return [undefined]
    if (one.type !== 'SpreadElement') return [this.#value(one, scopes)]
    const spread = this.#value(one.argument!, scopes)
    return Array.isArray(spread) ? spread : []
  }

  #object({ properties }: Node, scopes: readonly Scope[]): Record<string, unknown> {
    const record: Record<string, unknown> = {}
    for (const one of properties) {
      if (one.type === 'SpreadElement') {
        const spread = this.#value(one.argument!, scopes)
        if (spread !== null && typeof spread === 'object') Object.assign(record, spread)
        continue
      }
      const name = one.computed ? this.#value(one.key, scopes) : (one.key.name ?? one.key.value)
      if (typeof name === 'symbol' || name === '__proto__') continue
      record[String(name)] =
        one.type === 'ObjectMethod' ? this.#function(one, scopes) : this.#value(one.value as Node, scopes)
    }
    return record
  }

  #call(node: Node, scopes: readonly Scope[]): unknown {
    const called = this.#value(node.callee, scopes)
    if (typeof called !== 'function') return unread
    const args = node.arguments.flatMap(one => this.#element(one, scopes))
    return Interpreter.attempt(() => called(...args))
  }

  #choose({ test, consequent, alternate }: Node, scopes: readonly Scope[]): unknown {
    const value = this.#value(test, scopes)
    return value === unread ? unread : this.#value(value ? consequent : alternate!, scopes)
  }

  #logical({ operator, left, right }: Node, scopes: readonly Scope[]): unknown {
    const value = this.#value(left, scopes)
    if (value === unread) return operator === '&&' ? unread : this.#value(right, scopes)
    const isLeft =
      operator === '||' ? Boolean(value) : operator === '&&' ? !value : value !== null && value !== undefined
    return isLeft ? value : this.#value(right, scopes)
  }

  #assign({ operator, left, right }: Node, scopes: readonly Scope[]): unknown {
    const value = operator === '=' ? this.#value(right, scopes) : unread
    if (left.type === 'Identifier') scopes.find(one => one.has(left.name))?.set(left.name, value)
    if (left.type !== 'MemberExpression') return value
    const object = this.#value(left.object, scopes)
    const name = left.computed ? this.#value(left.property, scopes) : left.property.name
    if (object !== null && typeof object === 'object' && typeof name === 'string' && name !== '__proto__')
      (object as Record<string, unknown>)[name] = value
    return value
  }
}
