// Finds the names of a file that its code changes after they are declared, or hands to other code that may change them.
// The declaration of such a name says nothing of its later value.

import { type Node, nameOf, type Statement, walk } from './tree.ts'

/** Methods of lists and texts that change nothing. */
const reading = new Set(['map', 'concat', 'slice', 'filter', 'includes', 'some', 'every', 'find', 'join', 'flatMap'])

/** Functions that are handed names and change nothing. */
const harmless = /^(?:createCore(?:Router|Controller|Service)|require|definePlugin|Symbol|String|Boolean)$/

type Shape = Node & Readonly<Record<string, unknown>>

/** Names that are changed. */
export interface TouchedNames {
  /** Names that are assigned to. */
  readonly assigned: ReadonlySet<string>
  /** Names whose values are written into, called upon, or handed to calls. Texts and numbers stay what they are. */
  readonly changed: ReadonlySet<string>
}

export function touchedNames(program: readonly Statement[]): TouchedNames {
  const assigned = new Set<string>()
  const touched = new Set<string>()
  const others: (readonly [name: string, of: string])[] = []
  const touch = (node: Node | null) => {
    const name = node === null ? null : rootOf(node)
    if (name !== null) touched.add(name)
  }
  walk(program as unknown as Node[], node => {
    const shape = node as Shape
    switch (node.type) {
      case 'VariableDeclarator': {
        const of = shape.init ? rootOf(shape.init as Node) : null
        const { name } = shape.id as Shape
        if (of !== null && typeof name === 'string') others.push([name, of])
        break
      }
      case 'AssignmentExpression':
        if ((shape.left as Node).type === 'Identifier') assigned.add(String((shape.left as Shape).name))
        else touch(shape.left as Node)
        break
      case 'UpdateExpression':
      case 'UnaryExpression':
        if (node.type === 'UpdateExpression' || shape.operator === 'delete') touch(shape.argument as Node)
        break
      case 'NewExpression':
      case 'CallExpression':
      case 'OptionalCallExpression':
        touchedByCall(shape, touch)
    }
  })
  // A change by another name is a change.
  for (const [name, of] of others.toReversed()) if (touched.has(name)) touched.add(of)
  return { assigned, changed: touched }
}

function touchedByCall(call: Shape, touch: (node: Node | null) => void): void {
  const callee = call.callee as Shape
  const isMember = callee.type === 'MemberExpression' || callee.type === 'OptionalMemberExpression'
  const name = isMember ? nameOf(callee.property as Node, callee.computed === true) : nameOf(callee, false)
  if (isMember && !(name !== null && (reading.has(name) || harmless.test(name)))) touch(callee.object as Node)
  if (name !== null && harmless.test(name)) return
  for (const argument of call.arguments as readonly Shape[])
    touch(argument.type === 'SpreadElement' ? (argument.argument as Node) : argument)
}

/** The name at the beginning of a chain of members; null for anything else. */
function rootOf(node: Node): string | null {
  const shape = node as Shape
  if (node.type === 'Identifier') return String(shape.name)
  if (node.type === 'MemberExpression' || node.type === 'OptionalMemberExpression') return rootOf(shape.object as Node)
  if (node.type.startsWith('TS') && shape.expression !== undefined) return rootOf(shape.expression as Node)
  return null
}
