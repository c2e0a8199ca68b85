// Decides whether a middleware for all requests surely only looks on: it always calls `next()` and leaves request and
// answer alone, but for headers of the answer and notes in `ctx.state`. What is not sure counts as a guard.

import { returnedBy } from '../syntax/declared.ts'
import type { SourceModule } from '../syntax/module.ts'
import { bare, type Callable, type Expression, type Node, nameOf, type Statement, walk } from '../syntax/tree.ts'

type Shape = Node & Readonly<Record<string, unknown>>

/** Returns whether the middleware that a file exports, a function that returns `(ctx, next) => …`, guards nothing. */
export function onlyLooksOn(module: SourceModule): boolean {
  const value = module.exported()
  if (value.kind !== 'function') return false
  const returned = returnedBy(value.node)
  const inner = returned === null ? null : bare(returned.value)
  if (inner?.type !== 'ArrowFunctionExpression' && inner?.type !== 'FunctionExpression') return false
  const names = inner.params.map(one => (one.type === 'Identifier' ? one.name : null))
  const [ctx, next] = names
  if (typeof ctx !== 'string' || typeof next !== 'string') return false
  return bodyLooksOn(inner, ctx, next)
}

function bodyLooksOn({ body }: Callable, ctx: string, next: string): boolean {
  if (body.type !== 'BlockStatement') return isNext(body as Node, next)
  const statements = body.body as readonly Statement[]
  const at = statements.findIndex(one => callsOn(one, next))
  if (at === -1) return false
  const before = statements.slice(0, at)
  const after = statements.slice(at + 1)
  return (
    before.every(one => isQuiet(one, { ctx, next, mayReturn: false })) &&
    after.every(one => isQuiet(one, { ctx, next, mayReturn: true }))
  )
}

/** The names of the parameters of a middleware, and whether it may end here. */
interface Surroundings {
  readonly ctx: string
  readonly next: string
  readonly mayReturn: boolean
}

/** `await next()`, `return next()` and `const value = await next()`. */
function callsOn(statement: Statement, next: string): boolean {
  if (statement.type === 'ExpressionStatement') return isNext(statement.expression as Node, next)
  if (statement.type === 'ReturnStatement') return isNext(statement.argument as Node | null, next)
  if (statement.type !== 'VariableDeclaration' || statement.declarations.length !== 1) return false
  return isNext((statement.declarations[0]!.init ?? null) as Node | null, next)
}

function isNext(node: Node | null, next: string): boolean {
  const { argument, callee } = (node ?? {}) as { readonly argument?: Node; readonly callee?: Shape }
  if (node?.type === 'AwaitExpression') return isNext(argument!, next)
  return node?.type === 'CallExpression' && callee?.type === 'Identifier' && callee.name === next
}

const refused =
  /^(?:Throw|Try|While|For|DoWhile|Switch|With|Yield|Class|Import|TaggedTemplate)|Function|^NewExpression$/

function isQuiet(statement: Statement, { ctx, next, mayReturn }: Surroundings): boolean {
  let isOk = true
  walk([statement as unknown as Node], (node, above) => {
    const shape = node as Shape
    if (node.type === 'NewExpression' && rootOf(shape.callee as Node) === 'Date') return
    if (refused.test(node.type)) isOk = false
    if (node.type === 'ReturnStatement' && !(mayReturn && above.length === 0)) isOk = false
    if (node.type === 'Identifier' && shape.name === next) isOk = false
    if (node.type === 'AssignmentExpression' && !mayWrite(shape.left as Node, ctx)) isOk = false
    if (node.type === 'UpdateExpression' && rootOf(shape.argument as Node) === ctx) isOk = false
    if (node.type === 'UnaryExpression' && shape.operator === 'delete') isOk = false
    if (/^(?:Optional)?CallExpression$/.test(node.type) && !mayCall(shape, ctx)) isOk = false
  })
  return isOk
}

/** Names of its own, and notes in `ctx.state` that nothing of v4 reads. */
function mayWrite(target: Node, ctx: string): boolean {
  if (target.type === 'Identifier') return true
  const path = pathOf(target)
  const [, note] = /^[^.]+\.state\.([\w$]+)/.exec(path) ?? []
  return rootOf(target) === ctx && note !== undefined && !/^(?:user|auth|isAuthenticated|route|.*admin.*)$/i.test(note)
}

const looking =
  /^(?:strapi\.(?:log\.\w+|config\.get)|console\.\w+|Date\.now|performance\.now|process\.\w+(?:\.\w+)?|Math\.\w+|JSON\.stringify|Object\.(?:keys|entries|values)|String|Number|Boolean)$/
const ofTexts =
  /\.(?:join|toFixed|toString|padStart|padEnd|includes|startsWith|endsWith|toUpperCase|toLowerCase|toISOString|getTime|slice|split|trim)$/

function mayCall({ callee, arguments: sent }: Shape, ctx: string): boolean {
  const path = pathOf(callee as Node)
  if (looking.test(path)) return true
  // Nothing of the request may reach other code, which could change it.
  const isHanded = (sent as readonly Node[]).some(one => rootOf(one) === ctx && one.type === 'Identifier')
  if (isHanded) return false
  if (path.startsWith(`${ctx}.`))
    return /^\w+\.(?:(?:response\.)?(?:set|append|vary|remove)|(?:request\.)?get|state\.\w+\.push)$/.test(path)
  return ofTexts.test(path)
}

function rootOf(node: Node): string | null {
  const { name, object } = node as Shape as { readonly name?: string; readonly object?: Node }
  if (node.type === 'Identifier') return name ?? null
  return object === undefined ? null : rootOf(object)
}

/** `a.b.c` of members; calls, and what is computed, are `?`. */
function pathOf(expression: Node): string {
  const node = bare(expression as Expression) as Shape
  if (node.type === 'Identifier') return String(node.name)
  if (!/^(?:Optional)?MemberExpression$/.test(node.type)) return '?'
  return `${pathOf(node.object as Node)}.${nameOf(node.property as Node, node.computed === true) ?? '?'}`
}
