// Gives a selection the values of its variables: the parameters of one question to the kernel. Both ways of answering
// use it. It knows neither the rights of the caller nor statements.

import { type Action, type Params, type Registry, under } from '@plinth/kernel'
import { actionOf, type ParameterArgument } from '../schema/meaning.ts'
import type { Variables } from './arguments.ts'
import { filtersOf } from './filters.ts'
import type { BranchSelection, NodeSelection } from './node-selection.ts'
import { type Page, type PageRules, pageOf } from './page.ts'
import type { RootSelection } from './selection.ts'

/** The rules on which questions depend beside their selection. */
export interface QuestionRules extends PageRules {
  readonly types: Pick<Registry, 'require'>
}

/** The question of a field of the root. */
export interface Question {
  readonly params: Params
  /** The arguments of the field, for operations that need more than the parameters: an id, data. */
  readonly args: Readonly<Record<string, unknown>>
  /** The page of a list; null for other operations. */
  readonly page: Page | null
  /** The parameters that nodes inherit, for fields of their entries that are asked for by themselves. */
  readonly inherited: InheritedByNode
}

/** Values of parameters of plugins that nodes below inherit. */
export type Inherited = ReadonlyMap<string, unknown>

/** The parameters that nodes inherit; nodes that inherit none are not in it. */
export type InheritedByNode = ReadonlyMap<NodeSelection, Inherited>

/** Parameter values inherited from the parent node. */
interface ParentScope {
  readonly inherited: Inherited
  /** The action of the question: a parameter that does not act on it holds nowhere, unless a node sends it. */
  readonly action: Action
}

/**
 * The question of a field of the root; `changed` is the entry that a subscription asks for. Throws PaginationError, and
 * GraphQLError for arguments that do not fit.
 */
export function questionOf(
  root: RootSelection,
  variables: Variables,
  rules: QuestionRules,
  changed: number | null = null,
): Question {
  const args = root.args.values(variables)
  const { parameters, operation } = root.meaning
  const isList = operation === 'find'
  const action = actionOf[operation]
  const { own, inherited } = parametersOf(parameters, args, { inherited: new Map(), action })
  const page = isList ? pageOf(args.pagination as Parameters<typeof pageOf>[0], rules) : null
  const byNode = new Map<NodeSelection, Inherited>()
  const scope = { variables, rules, inherited, byNode, action }
  const params: Record<string, unknown> = { ...own, ...selectionParams(root.node, scope) }
  if (page !== null) Object.assign(params, { pagination: page }, listParams(args, root.node, rules))
  if (operation !== 'changedMany') return { params, args, page, inherited: byNode }
  const { filters } = listParams(args, root.node, rules)
  const isChanged = { id: { $eq: changed ?? 0 } }
  params.filters = filters === undefined ? isChanged : { $and: [isChanged, filters] }
  params.pagination = only
  return { params, args, page: only, inherited: byNode }
}

/** The page of a list that has one entry at most. */
const only: Page = { start: 0, limit: 1 }

/** The parameters of a question about one field of entries, and what nodes inherit. */
export function fieldQuestion(
  node: NodeSelection,
  scope: Omit<NodeScope, 'byNode'>,
): Pick<Question, 'params' | 'inherited'> {
  const byNode = new Map<NodeSelection, Inherited>()
  const params = { ...Object.fromEntries(scope.inherited), ...selectionParams(node, { ...scope, byNode }) }
  return { params, inherited: byNode }
}

interface NodeScope extends ParentScope {
  readonly variables: Variables
  readonly rules: QuestionRules
  readonly byNode: Map<NodeSelection, Inherited>
}

/** `fields` and `populate` of a node. */
function selectionParams(node: NodeSelection, scope: NodeScope): Record<string, unknown> {
  const params: Record<string, unknown> = {}
  if (scope.inherited.size > 0) scope.byNode.set(node, scope.inherited)
  // Named attributes are checked, also beside all others.
  params.fields = node.isWhole ? ['*', ...node.fields] : [...node.fields]
  if (node.branches.length > 0) {
    const populate: Record<string, unknown> = {}
    for (const branch of node.branches) {
      const options = branchParams(branch, scope)
      populate[branch.key] = branch.key === branch.name ? options : under(branch.name, options)
    }
    params.populate = populate
  }
  return params
}

function branchParams(branch: BranchSelection, scope: NodeScope): Record<string, unknown> {
  const { node, on, args } = branch
  if (on !== null) {
    const types: Record<string, unknown> = {}
    for (const [uid, selection] of on) types[uid] = selectionParams(selection, scope)
    return { on: types }
  }
  if (args === null) return selectionParams(node!, scope)
  const values = args.values(scope.variables)
  const { own, inherited } = parametersOf(branch.parameters, values, scope)
  const { start, limit } = pageOf(values.pagination as Parameters<typeof pageOf>[0], scope.rules)
  return {
    ...own,
    ...listParams(values, node!, scope.rules),
    start,
    limit,
    ...selectionParams(node!, { ...scope, inherited }),
  }
}

/** `filters` and `sort` of a list. */
function listParams(
  { filters, sort }: Readonly<Record<string, unknown>>,
  { type }: NodeSelection,
  { types }: QuestionRules,
): Record<string, unknown> {
  const params: Record<string, unknown> = {}
  if (filters !== undefined && filters !== null)
    params.filters = filtersOf(filters as Readonly<Record<string, unknown>>, type, types)
  // Code of extensions may pass one key without a list.
  const keys = (Array.isArray(sort) ? sort : [sort]).filter(one => one !== null && one !== undefined)
  if (keys.length > 0) params.sort = keys
  return params
}

/**
 * The parameters of plugins for a node. What a node sends holds for all nodes below it, so a value is left out only if
 * it has the same effect as what holds there already.
 */
function parametersOf(
  parameters: readonly ParameterArgument[],
  args: Readonly<Record<string, unknown>>,
  parent: ParentScope,
): { readonly own: Record<string, unknown>; readonly inherited: Inherited } {
  const own: Record<string, unknown> = {}
  let { inherited } = parent
  for (const { definition, fallback, isQuery } of parameters) {
    const value = args[definition.name]
    if (!isQuery || value === undefined || value === null) continue
    const acts = definition.actions.includes(parent.action)
    const current = inherited.has(definition.name) ? inherited.get(definition.name) : acts ? fallback : undefined
    if (value === current) continue
    own[definition.name] = value
    inherited = new Map([...inherited, [definition.name, value]])
  }
  return { own, inherited }
}
