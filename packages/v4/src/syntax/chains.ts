// Chains of members and calls that begin with a name, such as `strapi.controller('api::a.a').find`, also where a
// variable stands for their beginning. Scopes are not told apart: a name counts wherever it stands.

import { bare, type Expression, type Node, nameOf, walk } from './tree.ts'

/** One step of a chain. */
export interface Step {
  /** The name; null if it is computed. */
  readonly name: string | null
  /** The arguments of the call of the step; null if it is not called. */
  readonly args: readonly Expression[] | null
}

export interface Chain {
  readonly root: string
  readonly steps: readonly Step[]
  /** True if it is assigned to, or deleted. */
  readonly isWritten: boolean
  /** True if its value goes elsewhere: into a call, a list, an object or a variable of another name. */
  readonly isHandedOn: boolean
  /** The value that is assigned to it; null if it is not assigned to, or in another way. */
  readonly assigned: Expression | null
  readonly node: Node
}

type Shape = Node & Readonly<Record<string, unknown>>

interface Begun {
  readonly root: string
  readonly steps: readonly Step[]
}

/** All chains of a program that begin with one of the names. */
export function chainsOf(program: readonly Node[], roots: readonly string[]): readonly Chain[] {
  const chains: Chain[] = []
  visitLinks(program, roots, ({ root, steps }, node, above) => {
    if (steps.length > 0) chains.push({ root, steps, ...fateOf(node, above), node })
  })
  return chains
}

/** The chains of whatever object, such as `this.app` or a parameter, whose steps are meant. */
export function openChainsOf(program: readonly Node[], isMeant: (steps: readonly Step[]) => boolean): readonly Chain[] {
  const chains: Chain[] = []
  walk(program, (node, above) => {
    if (!isLink(node) || node.type === 'Identifier' || isInside(node, above)) return
    const { root, steps } = stepsOf(node)
    // Everything before the last name of an object that holds others, as in `this.app.server`, is left out.
    for (const own of [steps, steps.slice(1)])
      if (isMeant(own)) chains.push({ root, steps: own, ...fateOf(node, above), node })
  })
  return chains
}

function stepsOf(expression: Node): Begun {
  const node = bare(expression as Expression) as Shape
  if (/^(?:Optional)?MemberExpression$/.test(node.type)) {
    const { root, steps } = stepsOf(node.object as Node)
    return { root, steps: [...steps, { name: nameOf(node.property as Node, node.computed === true), args: null }] }
  }
  if (!/^(?:Optional)?CallExpression$/.test(node.type)) return { root: String(node.name ?? node.type), steps: [] }
  const { root, steps } = stepsOf(node.callee as Node)
  const last = steps.at(-1)
  if (last === undefined) return { root: '()', steps: [] }
  return { root, steps: [...steps.slice(0, -1), { ...last, args: node.arguments as Expression[] }] }
}

/** A use of a name as a whole, such as `extend(strapi)`, with the nodes around it, the nearest one last. */
export interface WholeUse {
  readonly node: Node
  readonly above: readonly Node[]
}

/**
 * Lists where a program uses one of the names, or another name of it, as a whole, but for declarations of other names.
 */
export function wholeUsesOf(program: readonly Node[], roots: readonly string[]): readonly WholeUse[] {
  const uses: WholeUse[] = []
  visitLinks(program, roots, ({ steps }, node, above) => {
    const parent = above.at(-1) as Shape | undefined
    const isRenamed = /^(?:VariableDeclarator|AssignmentExpression)$/.test(parent?.type ?? '')
    if (steps.length === 0 && !isRenamed) uses.push({ node, above: [...above] })
  })
  return uses
}

type VisitLink = (begun: Begun, node: Node, above: readonly Node[]) => void

function visitLinks(program: readonly Node[], roots: readonly string[], visit: VisitLink): void {
  const aliases = new Map<string, Begun>()
  // Twice, because a function may use a name before the text that gives it its value.
  for (const _ of [1, 2]) walk(program, (node, above) => collectAliases(node, above, { roots, aliases }))
  walk(program, (node, above) => {
    if (!isLink(node) || isInside(node, above)) return
    const begun = unwind(node, roots, aliases)
    if (begun !== null) visit(begun, node, above)
  })
}

function collectAliases(
  node: Node,
  above: readonly Node[],
  { roots, aliases }: { readonly roots: readonly string[]; readonly aliases: Map<string, Begun> },
): void {
  const shape = node as Shape
  if (node.type === 'VariableDeclarator') addAliases(shape, roots, aliases)
  // A root stays what it is, whatever is assigned to its name.
  if (node.type === 'AssignmentExpression' && !roots.includes(String((shape.left as Shape).name)))
    addAliases({ ...shape, id: shape.left, init: shape.right }, roots, aliases)
  if (node.type === 'ObjectProperty' && above.at(-1)?.type === 'ObjectPattern') addRenamed(shape, roots, aliases)
}

const isLink = ({ type }: Node) => /^(?:Optional)?(?:Member|Call)Expression$|^Identifier$/.test(type)

/** Returns whether the node is only the beginning of a longer chain, or a name that is not a value. */
function isInside(node: Node, above: readonly Node[]): boolean {
  let inner = node
  if (node.type === 'Identifier' && isDeclared(node, above)) return true
  for (const parent of above.toReversed() as Shape[]) {
    if (parent.type.startsWith('TS') && parent.expression === inner) {
      inner = parent
      continue
    }
    if (/^(?:Optional)?MemberExpression$/.test(parent.type))
      return parent.object === inner || (parent.property === inner && parent.computed !== true)
    if (/^(?:Optional)?CallExpression$/.test(parent.type)) return parent.callee === inner
    if (/^Object(?:Property|Method)$/.test(parent.type)) return parent.key === inner && parent.value !== inner
    return false
  }
  return false
}

/** Returns whether a name is declared here: as a variable, a parameter or a part of one of them. */
function isDeclared(node: Node, above: readonly Node[]): boolean {
  const parent = above.at(-1) as Shape | undefined
  if (parent?.type === 'VariableDeclarator') return parent.id === node
  if (parent?.type === 'ArrayPattern') return true
  if (parent?.type === 'AssignmentExpression') return parent.left === node
  if (parent?.type === 'ObjectProperty' && above.at(-2)?.type === 'ObjectPattern') return true
  return /Function|Method$/.test(parent?.type ?? '') && (parent!.params as readonly Node[]).includes(node)
}

function unwind(expression: Node, roots: readonly string[], aliases: ReadonlyMap<string, Begun>): Begun | null {
  const node = bare(expression as Expression) as Shape
  if (node.type === 'Identifier') {
    const name = String(node.name)
    return aliases.get(name) ?? (roots.includes(name) ? { root: name, steps: [] } : null)
  }
  if (/^(?:Optional)?MemberExpression$/.test(node.type)) {
    const step = { name: nameOf(node.property as Node, node.computed === true), args: null }
    const object = node.object as Shape
    const begun = unwind(object, roots, aliases)
    if (begun !== null) return { root: begun.root, steps: [...begun.steps, step] }
    // `global.strapi`, `context.strapi` and `this.strapi` are `strapi` (B-13.8).
    return step.name === 'strapi' && roots.includes(step.name) ? { root: step.name, steps: [] } : null
  }
  const parts = partsOf(node)
  if (parts.length > 0) return firstOf(parts, one => unwind(one, roots, aliases))
  if (!/^(?:Optional)?CallExpression$/.test(node.type)) return null
  const begun = unwind(node.callee as Node, roots, aliases)
  const last = begun?.steps.at(-1)
  if (begun === null || last === undefined) return null
  return { root: begun.root, steps: [...begun.steps.slice(0, -1), { ...last, args: node.arguments as Expression[] }] }
}

/** Returns what an expression may be: both sides of `a || b` and of `c ? a : b`. */
function partsOf({ type, left, right, consequent, alternate }: Shape): readonly Node[] {
  if (type === 'LogicalExpression') return [left, right] as Node[]
  return type === 'ConditionalExpression' ? ([consequent, alternate] as Node[]) : []
}

function firstOf<Value>(nodes: readonly Node[], read: (node: Node) => Value | null): Value | null {
  for (const node of nodes) {
    const value = read(node)
    if (value !== null) return value
  }
  return null
}

/** `const a = strapi.x` and `const { a } = strapi.x` make names that stand for chains. */
function addAliases({ id, init }: Shape, roots: readonly string[], aliases: Map<string, Begun>): void {
  if (init === null || init === undefined) return
  const begun = unwind(init as Node, roots, aliases)
  if (begun === null) return
  const target = id as Shape
  if (target.type === 'Identifier') aliases.set(String(target.name), begun)
  if (target.type === 'ObjectPattern') addParts(target, begun, aliases)
}

/**
 * `({ strapi: app }) => …` makes `app` a name of `strapi`, and `({ strapi: { server } }) => …` makes `server` one of
 * its parts.
 */
function addRenamed({ key, value }: Shape, roots: readonly string[], aliases: Map<string, Begun>): void {
  const root = nameOf(key as Node, false)
  const target = value as Shape
  if (root === null || !roots.includes(root)) return
  if (target.type === 'Identifier' && target.name !== root) aliases.set(String(target.name), { root, steps: [] })
  if (target.type === 'ObjectPattern') addParts(target, { root, steps: [] }, aliases)
}

function addParts(pattern: Shape, { root, steps }: Begun, aliases: Map<string, Begun>): void {
  for (const one of pattern.properties as readonly Shape[]) {
    const shape = one.value as Shape | undefined
    const value = shape?.type === 'AssignmentPattern' ? (shape.left as Shape) : shape
    if (value?.type !== 'Identifier' && value?.type !== 'ObjectPattern') continue
    const step = { name: nameOf(one.key as Node, one.computed === true), args: null }
    const begun = { root, steps: [...steps, step] }
    if (value.type === 'Identifier') aliases.set(String(value.name), begun)
    else addParts(value, begun, aliases)
  }
}

function fateOf(node: Node, above: readonly Node[]): Pick<Chain, 'isWritten' | 'isHandedOn' | 'assigned'> {
  const parent = above.findLast(one => !one.type.startsWith('TS')) as Shape | undefined
  if (parent === undefined) return { isWritten: false, isHandedOn: false, assigned: null }
  const isTarget = parent.type === 'AssignmentExpression' && bare(parent.left as Expression) === node
  const isDeleted = parent.type === 'UnaryExpression' && parent.operator === 'delete'
  const isPart = parent.type === 'ArrayPattern' || isPartOfPattern(parent, above)
  const isAliased = parent.type === 'VariableDeclarator' && (parent.id as Node) !== node
  const isDropped = parent.type === 'ExpressionStatement' || parent.type === 'AwaitExpression'
  const isRead = /^(?:Unary|Binary|Logical|Conditional)Expression$|^IfStatement$/.test(parent.type)
  // A variable that gets another value changes nothing of what it stood for.
  const isPlace = node.type !== 'Identifier' && (isTarget || isDeleted || isPart || parent.type === 'UpdateExpression')
  const isWritten = isPlace || writesInto(parent, node)
  const isLookedAt = isAliased || isDropped || isRead || isLooking(parent)
  return { isWritten, isHandedOn: !isWritten && !isLookedAt, assigned: isTarget ? (parent.right as Expression) : null }
}

/** Returns whether it is the target in `({ a: target } = …)`. */
const isPartOfPattern = ({ type }: Shape, above: readonly Node[]) =>
  type === 'ObjectProperty' &&
  above.findLast(one => one.type.startsWith('Object') && one.type !== type)?.type === 'ObjectPattern'

/** `Object.assign(target, …)`, `_.set(target, …)` and the like change what they are handed first. */
function writesInto({ type, callee, arguments: values }: Shape, node: Node): boolean {
  if (!/^(?:Optional)?CallExpression$/.test(type)) return false
  const [first] = values as readonly Node[]
  const { property } = callee as Shape & { readonly property?: Node }
  const name = property === undefined ? nameOf(callee as Node, false) : nameOf(property, false)
  return (
    first !== undefined &&
    bare(first as Expression) === node &&
    /^(?:assign|assignIn|define(?:Property|Properties)|setPrototypeOf|extend|merge|mergeWith|set|update|unset)$/.test(
      name ?? '',
    )
  )
}

/** Calls that change nothing of what they are handed. */
function isLooking({ type, callee }: Shape): boolean {
  if (!/^(?:Optional)?CallExpression$/.test(type)) return false
  const { object, property } = callee as Shape & { readonly object?: Shape; readonly property?: Node }
  const name = property === undefined ? null : nameOf(property, false)
  if (object?.name === 'Object' && name === 'keys') return true
  return object?.name === 'console' || /^(?:bind|call|apply)$/.test(name ?? '')
}

/** The text of the first argument of a step; null if it is not called, or with something else. */
export function firstText(step: Step | undefined): string | null {
  const [first] = step?.args ?? []
  return first === undefined ? null : nameOf(bare(first) as Node, true)
}
