// Follows an object of v4: by which names functions of the project know it to which it is handed, in which files.

import { type WholeUse, wholeUsesOf } from '../syntax/chains.ts'
import type { SourceModule } from '../syntax/module.ts'
import { bare, type Call, type Expression, type Node, nameOf } from '../syntax/tree.ts'
import type { Value } from '../syntax/values.ts'
import type { Sources } from './sources.ts'

/** A name of the object in a file. */
export interface NameIn {
  readonly module: SourceModule
  readonly name: string
}

/** All names, and where the object is handed to code that could not be followed. */
export interface HandedNames {
  readonly names: readonly NameIn[]
  readonly lost: readonly { readonly module: SourceModule; readonly node: Node }[]
}

/** Follows the object from the names that are given. `isMeant` leaves out uses that need not be followed. */
export function followNames(
  sources: Sources,
  first: readonly NameIn[],
  isMeant: (above: readonly Node[]) => boolean = () => true,
): HandedNames {
  const names = [...first]
  const lost: { module: SourceModule; node: Node }[] = []
  // The list grows while it is read.
  for (const { module, name } of names)
    for (const { node, above } of wholeUsesOf(module.program, [name])) {
      if (!isMeant(above)) continue
      const next = parameterFor(sources, module, { node, above })
      if (next === null) lost.push({ module, node })
      else if (next !== 'none' && !names.some(one => one.module === next.module && one.name === next.name))
        names.push(next)
    }
  return { names, lost }
}

/**
 * The name that a called function has for its argument, `none` if it takes no such argument; null if it is not known.
 */
function parameterFor(sources: Sources, module: SourceModule, { node, above }: WholeUse): NameIn | 'none' | null {
  const parent = above.at(-1)
  if (parent?.type !== 'CallExpression') return null
  const { callee, arguments: values } = parent as Call
  const at = values.findIndex(one => bare(one as Expression) === node)
  const called = calledBy(module, callee as Expression)
  if (at === -1 || called.kind !== 'function') return null
  const target = sources.module(called.file)
  const parameter = called.node.params[at]
  if (target === null) return null
  if (parameter === undefined) return called.node.params.some(one => one.type === 'RestElement') ? null : 'none'
  return parameter.type === 'Identifier' ? { module: target, name: parameter.name } : null
}

/** The function that is called; of a file that exports by `default`, that. */
function calledBy(module: SourceModule, callee: Expression): Value {
  const value = module.evaluate(callee)
  if (value.kind !== 'object') return value
  return value.members.get('default') ?? value
}

/** Returns whether a use only looks: `console.log(plugin)`, `Object.keys(plugin)`. */
export function isOnlyRead(above: readonly Node[]): boolean {
  const parent = above.at(-1)
  if (/^(?:ReturnStatement|ArrowFunctionExpression|ExpressionStatement)$/.test(parent?.type ?? '')) return true
  if (/^(?:Unary|Binary|Logical|Conditional)Expression$|^IfStatement$/.test(parent?.type ?? '')) return true
  if (parent?.type !== 'CallExpression') return false
  const { callee } = parent as Call
  if (callee.type !== 'MemberExpression' || callee.object.type !== 'Identifier') return false
  const name = nameOf(callee.property as Node, callee.computed)
  return (
    callee.object.name === 'console' ||
    (callee.object.name === 'Object' && /^(?:keys|values|entries)$/.test(name ?? ''))
  )
}
