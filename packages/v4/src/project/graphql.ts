// Finds what code changes of v4's GraphQL (B-13.123): types that `shadowCRUD` switches off, and fields that
// `resolversConfig` guards or resolvers replace. REST is not concerned by it.

import type { SourceModule } from '../syntax/module.ts'
import { bare, type Call, type Expression, lineOf, type Node, nameOf, walk } from '../syntax/tree.ts'
import { isNothing, memberOf, textOf, type Value } from '../syntax/values.ts'
import { type RootField, rootFields } from './graphql-fields.ts'
import type { Guard, TypeOfProject } from './model.ts'
import type { Sources } from './sources.ts'

export function graphqlGuards(sources: Sources, types: readonly TypeOfProject[]): readonly Guard[] {
  const fields = rootFields(types)
  return sources.code().flatMap(file => {
    // Most files have nothing to do with GraphQL, and need not be walked for it.
    if (!/shadowCRUD|resolversConfig|Query|Mutation|resolvers/.test(sources.text(file))) return []
    const module = sources.module(file)
    if (module === null) return []
    const guards: Guard[] = []
    const guard = (node: Node, why: string) => (field: RootField) =>
      guards.push({ action: field.action, file, line: lineOf(node), kind: 'start', why, shuts: 'graphql' })
    walk(module.program as unknown as Node[], (node, above) => {
      for (const { why, met } of [
        ...shadowed(node, above, fields),
        ...configured(node, module, fields),
        ...resolved(node, module, fields),
        ...extended(node, module, fields),
      ])
        met.forEach(guard(node, why))
      // Its members are not resolvers.
      return memberSet(node)?.name !== 'resolversConfig'
    })
    return guards
  })
}

interface Met {
  readonly why: string
  readonly met: readonly RootField[]
}

/** `shadowCRUD(uid).disable()` and the like, of whatever object. */
function shadowed(node: Node, above: readonly Node[], fields: readonly RootField[]): readonly Met[] {
  if (calledName(node) !== 'shadowCRUD') return []
  const [type] = (node as Call).arguments
  const uid = type === undefined ? null : nameOf(bare(type as Expression) as Node, true)
  const own = fields.filter(field => field.uid !== null && (uid === null || field.uid === uid))
  const shadowFields = own.filter(({ shadow }) => shadow !== null)
  const change = above.at(-1) as (Node & { readonly property?: Node; readonly object?: Node }) | undefined
  const name = change?.object === node && change.property !== undefined ? nameOf(change.property, false) : null
  const call = above.at(-2)
  const [argument] = call?.type === 'CallExpression' && (call as Call).callee === change ? (call as Call).arguments : []
  const action = argument === undefined ? null : nameOf(argument as Node, true)
  const why = `it calls shadowCRUD(…).${name ?? '…'}`
  if (name === 'disableQueries') return [{ why, met: shadowFields.filter(({ root }) => root === 'Query') }]
  if (name === 'disableMutations') return [{ why, met: shadowFields.filter(({ root }) => root === 'Mutation') }]
  if (name === 'disableAction' && action !== null)
    return [{ why, met: shadowFields.filter(({ shadow }) => shadow === action) }]
  return [{ why, met: name === 'field' ? own : shadowFields }]
}

/** `resolversConfig`, as a member or assigned, whole or path by path. */
function configured(node: Node, module: SourceModule, fields: readonly RootField[]): readonly Met[] {
  const why = 'its resolversConfig guards the field of GraphQL'
  const set = memberSet(node)
  if (set === null) return []
  if (set.name === 'resolversConfig') {
    const configs = module.evaluate(set.value)
    if (configs.kind !== 'object') return [{ why, met: fields }]
    const met = [...configs.members].flatMap(([path, config]) => guardedBy(path, config, fields))
    return [{ why, met: configs.isWhole ? met : fields }]
  }
  return set.isAssigned && /^[A-Z]\w*\.\w+$/.test(set.name)
    ? [{ why, met: guardedBy(set.name, module.evaluate(set.value), fields) }]
    : []
}

/** The fields that one entry guards: `'Query.notes': {…}`, or `Query: { notes: {…} }`. */
function guardedBy(path: string, config: Value, fields: readonly RootField[]): readonly RootField[] {
  const [root = '', name] = path.split('.')
  if (name !== undefined) return isOpen(config) ? [] : named(root, name, fields)
  if (config.kind !== 'object' || !config.isWhole) return named(root, null, fields)
  return [...config.members].flatMap(([own, one]) => (isOpen(one) ? [] : named(root, own, fields)))
}

/** `Query`, `Mutation` and the types of resolvers, whose fields replace those of v4. */
function resolved(node: Node, module: SourceModule, fields: readonly RootField[]): readonly Met[] {
  const set = memberSet(node)
  if (set === null) return []
  const isRoot = set.name === 'Query' || set.name === 'Mutation'
  if (isRoot) return [replacedIn(set.name, module.evaluate(set.value), fields)]
  if (set.isAssigned && (set.owner === 'Query' || set.owner === 'Mutation'))
    return [{ why: `its resolvers replace a field of ${set.owner}`, met: named(set.owner, set.name, fields) }]
  if (set.name !== 'resolvers') return []
  const resolvers = module.evaluate(set.value)
  if (resolvers.kind !== 'object') return []
  return [...resolvers.members]
    .filter(([name]) => name !== 'Query' && name !== 'Mutation')
    .map(([name, value]) => replacedIn(name, value, fields))
}

function replacedIn(root: string, value: Value, fields: readonly RootField[]): Met {
  const isWhole = value.kind === 'object' && value.isWhole
  const names = value.kind === 'object' ? [...value.members.keys()] : []
  const met = (isWhole ? names : [null]).flatMap(name => named(root, name, fields))
  return { why: `its resolvers replace a field of ${root}`, met }
}

/** `nexus.extendType({ type: 'Query', definition(t) { t.field('notes', …) } })`, `nexus.queryField('notes', …)`. */
function extended(node: Node, module: SourceModule, fields: readonly RootField[]): readonly Met[] {
  const called = calledName(node)
  const argument = called === null ? undefined : (node as Call).arguments[0]
  if (argument === undefined) return []
  const why = 'its types of nexus replace the field of GraphQL'
  const direct = nameOf(argument as Node, true)
  if (called === 'queryField' || called === 'mutationField')
    return [{ why, met: named(called === 'queryField' ? 'Query' : 'Mutation', direct, fields) }]
  const type = called === 'extendType' ? textOf(memberOf(module.evaluate(argument as Expression), 'type')) : null
  if (type === null) return []
  const met: RootField[] = []
  walk(argument as Node, inner => {
    const [first] = calledName(inner) === null ? [] : (inner as Call).arguments
    if (first?.type === 'StringLiteral') met.push(...named(type, first.value, fields))
  })
  return [{ why, met }]
}

/** The fields of the root of a name; of all names for null; for another type, the fields that answer its attribute. */
function named(root: string, name: string | null, fields: readonly RootField[]): readonly RootField[] {
  if (root === 'Query' || root === 'Mutation')
    return fields.filter(field => field.root === root && (name === null || field.name === name))
  const typeName = root.replace(/(?:Entity)?(?:Relation)?(?:Response)?(?:Collection)?$/, '')
  return fields.filter(field => {
    if (root.startsWith('Component')) return field.uid !== null
    if (field.typeName !== typeName && field.typeName !== root) return false
    return root !== field.typeName || name === null || (field.attributes?.includes(name) ?? true)
  })
}

/** Returns whether the settings of a field guard nothing. */
function isOpen(config: Value): boolean {
  if (config.kind !== 'object' || !config.isWhole) return false
  const isEmpty = (value: Value | undefined) =>
    isNothing(value) || (value!.kind === 'list' && value!.isWhole && value!.items.length === 0)
  const auth = memberOf(config, 'auth')
  const isUsual = isNothing(auth) || (auth!.kind === 'literal' && auth!.value !== true)
  return isUsual && isEmpty(memberOf(config, 'policies')) && isEmpty(memberOf(config, 'middlewares'))
}

/** A member of an object, as it is written in it or assigned to it. */
interface MemberSet {
  readonly name: string
  readonly value: Expression
  readonly isAssigned: boolean
  /** The name of the object that is assigned to; null if it has none. */
  readonly owner: string | null
}

function memberSet(node: Node): MemberSet | null {
  const { key, computed, value, left, right } = node as Node & {
    readonly key?: Node
    readonly computed?: boolean
    readonly value?: Expression
    readonly left?: Node
    readonly right?: Expression
  }
  if (node.type === 'ObjectProperty') {
    const name = nameOf(key!, computed === true)
    return name === null ? null : { name, value: value!, isAssigned: false, owner: null }
  }
  if (node.type !== 'AssignmentExpression' || left!.type !== 'MemberExpression') return null
  const member = left as Extract<Expression, { type: 'MemberExpression' }>
  const name = nameOf(member.property as Node, member.computed)
  const { object } = member
  const owner =
    object.type === 'MemberExpression' ? nameOf(object.property as Node, object.computed) : nameOf(object, false)
  return name === null ? null : { name, value: right!, isAssigned: true, owner }
}

/** The last name of what is called; null for other nodes. */
function calledName(node: Node): string | null {
  if (node.type !== 'CallExpression') return null
  const { callee } = node as Call
  return callee.type === 'MemberExpression'
    ? nameOf(callee.property as Node, callee.computed)
    : nameOf(callee as Node, false)
}
