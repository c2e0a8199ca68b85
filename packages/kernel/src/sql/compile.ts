// Compiles a plan to statements: one for the entries, one for the total, one per populated branch and level (law 6).

import type { Branch, Plan, PlanNode } from '../plan/plan.ts'
import { costOfPlan, type RowCost } from '../plan/row-cost.ts'
import type { Keys } from '../query/refused-parts.ts'
import { compileBranch } from './branch.ts'
import type { Codec, Dialect } from './dialect.ts'
import { type CountingPage, compileCountingPage, compileEntries, compilePageFromEnd, compileTotal } from './list.ts'
import { compileMeta, metaWriter, type WriteMeta } from './meta.ts'
import type { PlainFirst } from './plain-first.ts'
import type { Statement, ValueChecks } from './statement.ts'

/**
 * A node with its statements. Rows are `[id, …columns]`. Rows of branches end in their parent's id. Rows of the root
 * end in one mark per member of their `meta`, which is 0 or null if nothing is linked, so that it is not fetched.
 */
export interface CompiledNode {
  readonly plan: PlanNode
  /** One per selected column after the id. */
  readonly codecs: readonly Codec[]
  readonly branches: readonly CompiledBranch[]
  readonly meta: readonly {
    readonly name: string
    readonly json: WriteMeta
    readonly statement: Statement
    /** Index of the mark in a row; null if rows have none. */
    readonly mark: number | null
  }[]
}

/**
 * A branch with its statement. A branch with a page also has a plain statement, which is tried first; `statement` finds
 * its pages by rank.
 */
export type CompiledBranch =
  | {
      readonly kind: 'relation'
      readonly plan: Extract<Branch, { kind: 'relation' }>
      readonly child: CompiledNode
      readonly statement: Statement
      readonly plain: PlainFirst | null
    }
  | {
      readonly kind: 'component'
      readonly plan: Extract<Branch, { kind: 'component' }>
      readonly child: CompiledNode
      readonly statement: Statement
      readonly plain: PlainFirst | null
    }
  /** Rows end in `[…, order, link id, parent id]`. */
  | {
      readonly kind: 'zone'
      readonly plan: Extract<Branch, { kind: 'zone' }>
      readonly children: readonly { readonly child: CompiledNode; readonly statement: Statement }[]
    }
  /** `links` returns `[parent id, target id, target type]`; then one statement runs per type that occurs. */
  | {
      readonly kind: 'morph'
      readonly plan: Extract<Branch, { kind: 'morph' }>
      readonly links: Statement
      readonly children: ReadonlyMap<string, { readonly child: CompiledNode; readonly statement: Statement }>
    }
  /** Rows are `[parent id, number]`. */
  | { readonly kind: 'count'; readonly plan: Extract<Branch, { kind: 'count' }>; readonly statement: Statement }
  | { readonly kind: 'empty'; readonly plan: Extract<Branch, { kind: 'empty' }> }

/** A branch, or a member of the `meta` of entries, with the binders that may refuse its values. */
export interface CheckedPlace {
  readonly valueChecks: ValueChecks
  /** `populate.author.populate.articles`, by the keys of the branches. */
  readonly path: string
  /** The names on the way to it, with the types of unions. */
  readonly keys: Keys
}

/** A compiled plan, ready to be executed. */
export interface CompiledPlan {
  readonly plan: Plan
  readonly root: CompiledNode
  readonly entries: Statement
  readonly total: Statement | null
  /** The entries with their total in one statement; null if that saves nothing. */
  readonly counted: CountingPage | null
  /**
   * Returns the page found from the end of the list, with or without its total, compiled at the first call; null if the
   * query has no page or no total.
   */
  readonly fromEnd: ((isCounted: boolean) => Statement) | null
  /**
   * The columns that an INSERT or UPDATE must return for a complete answer; null if the answer needs more than the row.
   */
  readonly returning: string | null
  /** The places below the entries whose values are checked before any statement runs. */
  readonly checkedPlaces: readonly CheckedPlace[]
  /** The places among them with a value that is computed for each request. */
  readonly placesCheckedPerRequest: readonly CheckedPlace[]
  /** The rows that the answer may fetch. */
  readonly cost: RowCost
  /** Approximate number of bytes that it occupies. Caches limit the sum, for a query may involve a hundred types. */
  readonly weight: number
  /** True if a query by id has rules in addition, which may hide the entry. */
  readonly isRuled: boolean
  /** True if lists are a part of the answer, so that one entry may contain any number of entries or components. */
  readonly isBroad: boolean
  /** True if a bind value depends on the request; otherwise the bind values can be remembered with the query. */
  readonly isPerRequest: boolean
}

/** Compiles a plan. */
export function compilePlan(dialect: Dialect, plan: Plan): CompiledPlan {
  const root = compileNode(dialect, plan.root, true)
  const entries = compileEntries(dialect, plan)
  const total = plan.query.counted ? compileTotal(dialect, plan) : null
  const counted = total === null ? null : compileCountingPage(dialect, plan)
  const fromEnd = total === null || plan.query.page === null ? null : fromEndOf(dialect, plan)
  const isPerRequest = entries.isPerRequest || (total?.isPerRequest ?? false)
  const isNamed = plan.query.id !== null
  const isRuled = isNamed && plan.root.where?.op !== 'compare'
  const isPlain = root.branches.length === 0 && root.meta.length === 0 && isNamed && !isRuled
  const returning = isPlain && dialect.returns.insert ? returningText(dialect, plan.root) : null
  const perPage = entries.text.length + (total?.text.length ?? 0)
  const ofEnd = fromEnd === null ? 0 : perPage
  const weight = weigh(root) + perText * (perPage + ofEnd + (counted?.statement.text.length ?? 0))
  const checkedPlaces = checkedPlacesOf(root)
  return {
    plan,
    root,
    entries,
    total,
    counted,
    fromEnd,
    returning,
    checkedPlaces,
    placesCheckedPerRequest: checkedPlaces.filter(one => one.valueChecks.perRequest.length > 0),
    cost: costOfPlan(plan),
    weight,
    isRuled,
    isBroad: isBroad(root),
    isPerRequest,
  }
}

/** Compiles the page from the end when it is asked for: most lists are read at their beginning only. */
function fromEndOf(dialect: Dialect, plan: Plan): (isCounted: boolean) => Statement {
  let compiled: Statement | null = null
  // A database asks for one of the two.
  return isCounted => {
    compiled ??= compilePageFromEnd(dialect, plan, isCounted)
    return compiled
  }
}

function isBroad({ branches }: CompiledNode): boolean {
  return branches.some(one => {
    if (one.kind === 'empty' || one.kind === 'count') return false
    if (one.kind === 'zone' || one.kind === 'morph') return true
    return one.plan.attribute.many || isBroad(one.child)
  })
}

/** Measured: the bytes of a node without the text of its statement, and the bytes per character of that text. */
const perNode = 3000
const perText = 6

function weigh(node: CompiledNode): number {
  let weight = perNode
  for (const { statement } of node.meta) weight += perText * statement.text.length
  for (const branch of node.branches) {
    if (branch.kind === 'empty') continue
    if (branch.kind === 'count') weight += perText * branch.statement.text.length
    else {
      if ('plain' in branch) weight += perText * (branch.plain?.statement.text.length ?? 0)
      const children = branch.kind === 'zone' || branch.kind === 'morph' ? branch.children.values() : [branch]
      for (const { child, statement } of children) weight += weigh(child) + perText * statement.text.length
    }
  }
  return weight
}

/** The columns of a node, without a table alias. */
function returningText(dialect: Dialect, node: PlanNode): string {
  const columns = node.columns.map(column => {
    const name = dialect.quote(column.column)
    return column.storage === 'id' ? name : (dialect.codecs[column.storage].select?.(name) ?? name)
  })
  return columns.join(', ')
}

function checkedPlacesOf(node: CompiledNode, above = '', keysAbove: Keys = []): CheckedPlace[] {
  const ofMeta = node.meta.flatMap(({ name, statement }) =>
    checkedPlaceOf({ path: `${above}meta.${name}`, keys: keysAbove }, statement),
  )
  const ofBranches = node.branches.flatMap(branch => {
    if (branch.kind === 'empty') return []
    const path = `${above}populate.${branch.plan.key}`
    const keys = [...keysAbove, 'populate', branch.plan.key]
    if (branch.kind === 'count') return checkedPlaceOf({ path, keys }, branch.statement)
    const isUnion = branch.kind === 'zone' || branch.kind === 'morph'
    const children = isUnion ? [...branch.children.values()] : [branch]
    return children.flatMap(({ child, statement }) => {
      const own = isUnion ? [...keys, 'on', child.plan.type.uid] : keys
      return [...checkedPlaceOf({ path, keys: own }, statement), ...checkedPlacesOf(child, `${path}.`, own)]
    })
  })
  return [...ofMeta, ...ofBranches]
}

function checkedPlaceOf(place: Omit<CheckedPlace, 'valueChecks'>, { valueChecks }: Statement): CheckedPlace[] {
  return valueChecks.sent.length + valueChecks.perRequest.length === 0 ? [] : [{ ...place, valueChecks }]
}

/** The codec of values that are answered as something else than they are stored. */
function presenting(codec: Codec, present: (value: unknown) => unknown): Codec {
  const decode = (raw: never) => present(codec.decode(raw))
  return { ...codec, decode, json: raw => JSON.stringify(decode(raw)) ?? 'null' }
}

/** Compiles a node's branches; the node's own statement is compiled with its parent. */
export function compileNode(dialect: Dialect, node: PlanNode, isRoot = false): CompiledNode {
  const codecs = node.attributes.map(({ scalar, present }) => {
    const codec = dialect.codecs[scalar.storage]
    return present === null || node.isStored === true ? codec : presenting(codec, present)
  })
  const branches = node.branches.map(branch => compileBranch(dialect, node, branch))
  const meta = node.meta.map((member, i) => {
    const mark = isRoot ? node.columns.length + i : null
    return { name: member.name, json: metaWriter(dialect, member), statement: compileMeta(dialect, member), mark }
  })
  return { plan: node, codecs, branches, meta }
}
