// A router made of two, as v4's documentation teaches it: a function that takes a core router and a list of own routes,
// and returns an object whose `routes` are both. Such a function guards nothing, so its parts are read. Any other one
// is not.

import type { SourceModule } from '../syntax/module.ts'
import { bare, type Call, type Callable, type Expression, type Node, walk } from '../syntax/tree.ts'
import type { Value } from '../syntax/values.ts'

/** The routers of which the exported one is made, in the order of their routes; null if it is not of that kind. */
export function mixedRouter(module: SourceModule): readonly Value[] | null {
  const { whole, fault } = module.exports
  const call = whole === null || fault !== null ? null : bare(whole)
  if (call?.type !== 'CallExpression' || call.callee.type !== 'Identifier' || call.arguments.length !== 2) return null
  const callee = module.evaluate(call.callee as Expression)
  const order = callee.kind === 'function' ? orderOf(callee.node) : null
  if (order === null) return null
  const [inner, extra] = call.arguments as [Expression, Expression]
  const router = innerRouter(module, inner)
  if (router === null) return null
  const own = module.evaluate(extra)
  return order === 'own first' ? [own, router] : [router, own]
}

/** The core router: also by a name that stands nowhere but in its declaration and in the call. */
function innerRouter(module: SourceModule, inner: Expression): Value | null {
  if (inner.type !== 'Identifier') return module.evaluate(inner)
  let count = 0
  walk(module.program as unknown as Node[], node => {
    if (node.type === 'Identifier' && (node as Node & { name?: string }).name === inner.name) count++
  })
  const declared = module.declaration(inner.name)
  return count === 2 && declared?.kind === 'value' ? module.evaluate(declared.node) : null
}

/** Returns which of the parameters comes first in `routes`; null if the function is of another form. */
function orderOf({ params, body }: Callable): 'own first' | 'core first' | null {
  const names = params.map(one => {
    const target = one.type === 'AssignmentPattern' ? one.left : one
    return target.type === 'Identifier' ? target.name : null
  })
  const [inner, extra] = names
  if (typeof inner !== 'string' || typeof extra !== 'string' || names.length !== 2) return null
  const orders = new Set<'own first' | 'core first' | 'other'>()
  walk(body as Node, node => {
    const { callee, arguments: operands } = node as unknown as Call
    if (node.type !== 'CallExpression') return addOrders(node, [inner, extra], orders)
    const target = textOfMember(callee as Node)
    const argument = operands[0] === undefined ? null : textOfMember(operands[0] as Node)
    if (target === `${extra}.concat` && argument === `${inner}.routes`) orders.add('own first')
    else if (target === `${inner}.routes.concat` && argument === extra) orders.add('core first')
    else orders.add('other')
    return
  })
  const [only] = orders
  return orders.size === 1 && only !== 'other' ? (only as 'own first' | 'core first') : null
}

const plain = new Set([
  ...[
    'BlockStatement',
    'VariableDeclaration',
    'VariableDeclarator',
    'ReturnStatement',
    'ObjectExpression',
    'IfStatement',
  ],
  ...['ObjectMethod', 'ObjectProperty', 'Identifier', 'MemberExpression', 'ExpressionStatement', 'UnaryExpression'],
  ...['AssignmentExpression', 'LogicalExpression', 'ArrayExpression', 'SpreadElement', 'TSAsExpression'],
])

/** Lists with both spread are an order, assignments may only go to names, and other kinds of code are not read. */
function addOrders(
  node: Node,
  [inner, extra]: readonly [string, string],
  orders: Set<'own first' | 'core first' | 'other'>,
): void {
  if (!plain.has(node.type) && !node.type.startsWith('TS')) orders.add('other')
  const { left, elements } = node as unknown as { readonly left?: Node; readonly elements?: readonly Node[] }
  if (node.type === 'AssignmentExpression' && left?.type !== 'Identifier') orders.add('other')
  if (node.type !== 'ArrayExpression' || elements === undefined || elements.length === 0) return
  const spread = elements.map(one => textOfMember((one as unknown as { readonly argument?: Node }).argument ?? one))
  if (spread.join() === `${extra},${inner}.routes`) orders.add('own first')
  else orders.add(spread.join() === `${inner}.routes,${extra}` ? 'core first' : 'other')
}

function textOfMember(node: Node): string {
  const { name, object, property } = node as unknown as {
    readonly name?: string
    readonly object?: Node
    readonly property?: Node
  }
  if (node.type === 'Identifier') return name ?? ''
  return object === undefined || property === undefined ? '' : `${textOfMember(object)}.${textOfMember(property)}`
}
