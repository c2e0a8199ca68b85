// Estimates the cost of a query in rows: how many rows its answer may fetch. Which values are multiplied follows from
// the plan, so that each request only multiplies. Nothing is refused by it: it says how many parents a statement takes, and
// which answers are worth measuring. Knows no statements.

import type { Slot } from '../query/query.ts'
import type { Branch, Plan, PlanNode } from './plan.ts'

/** The rows that a query with these values usually fetches at most, at every level. */
export type RowCost = (values: readonly unknown[]) => number

/** The rows of a list whose length the query does not limit: the size of a page that is not asked for. */
const usualRows = 25

/** The components of one attribute of one entry, which belong to it alone and are few. */
const usualComponents = 5

/** Rows that do not depend on values are a number. */
type Rows = number | RowCost

/**
 * The cost of a plan in rows: the sum over all nodes that are fetched of the products of page sizes on the way. A list without a limit counts as 25 rows, and a list of components as 5. A dynamic zone counts as
 * 5 and a polymorphic list as 25 rows of all its types together, whatever its page, because it is cut after it was
 * fetched.
 */
export function costOfPlan({ root, query }: Plan): RowCost {
  // A number is fetched instead of the entries, and nothing below them.
  if (query.action === 'count') return () => 1
  const isOne = query.id !== null || (root.type.kind === 'singleType' && !root.isList)
  const rows = times(isOne ? 1 : sizeOf(query.page), plus(1, below(root)))
  return typeof rows === 'number' ? () => rows : rows
}

/** The rows that one parent of a branch usually has, without what is below them. */
export function usualRowsOf(branch: Branch, values: readonly unknown[]): number {
  const rows = ownRowsOf(branch)
  return typeof rows === 'number' ? rows : rows(values)
}

/** The rows below one row of a node. */
function below({ branches }: PlanNode): Rows {
  return branches.map(rowsOf).reduce(plus, 0)
}

function rowsOf(branch: Branch): Rows {
  const own = ownRowsOf(branch)
  switch (branch.kind) {
    case 'empty':
    case 'count':
      return own
    case 'zone':
      return times(own, plus(1, greatest(branch.nodes)))
    case 'morph':
      return times(own, plus(1, greatest([...branch.nodes.values()])))
    default:
      return times(own, plus(1, below(branch.node)))
  }
}

function ownRowsOf(branch: Branch): Rows {
  switch (branch.kind) {
    case 'empty':
      return 0
    case 'count':
      return 1
    case 'relation':
      return branch.attribute.many ? sizeOf(branch.page) : 1
    case 'component':
      return branch.attribute.many ? sizeOf(branch.page, usualComponents) : 1
    case 'zone':
      return usualComponents
    case 'morph':
      return branch.attribute.many ? usualRows : 1
  }
}

/** The rows below one row that may be of each of these nodes. */
function greatest(nodes: readonly PlanNode[]): Rows {
  return nodes.map(below).reduce(max, 0)
}

function sizeOf(page: { readonly limit: Slot } | null, usual = usualRows): Rows {
  if (page === null) return usual
  const { limit } = page
  // -1 means no limit.
  return values => ((values[limit] as number) < 0 ? usual : (values[limit] as number))
}

function combine(compute: (one: number, other: number) => number): (one: Rows, other: Rows) => Rows {
  return (one, other) => {
    if (typeof one === 'number' && typeof other === 'number') return compute(one, other)
    const [first, second] = [toCost(one), toCost(other)]
    return values => compute(first(values), second(values))
  }
}

const plus = combine((one, other) => one + other)
const times = combine((one, other) => one * other)
const max = combine(Math.max)

function toCost(rows: Rows): RowCost {
  return typeof rows === 'number' ? () => rows : rows
}
