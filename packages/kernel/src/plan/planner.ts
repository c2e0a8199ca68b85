// Plans a query. The plan is a function of the shape and `access.key`: the planner sees neither values nor the request.

import { planNode } from './node.ts'
import type { Plan } from './plan.ts'
import { type PlannedQuery, type Planning, PlanScope } from './scope.ts'

/** Plans a query. Throws ValidationError for names that may not be used, and what `prePlan` hooks throw. */
export function makePlan(planning: Planning, planned: PlannedQuery): Plan {
  const { query } = planned
  const scope = new PlanScope(planning, planned, query.selection.parameters)
  const type = planning.registry.require(query.uid)
  const root = planNode(scope, { type, via: 'root', through: null, path: '' }, query.selection)
  if (root === null) throw new Error(`The root of a plan for ${query.uid} was dropped`)
  return { query, root, reads: scope.reads, forbidden: scope.forbidden, closed: scope.closed, remarks: scope.remarks }
}
