// Plans a query. The plan is a function of the shape and `access.key`: the planner sees neither values nor the request.

import type { Access } from '../context.ts'
import type { Query } from '../query/query.ts'
import { planNode } from './node.ts'
import type { Plan } from './plan.ts'
import { type Planning, PlanScope } from './scope.ts'

/** Plans a query. Throws ValidationError for names that may not be used, and what `prePlan` hooks throw. */
export function makePlan(planning: Planning, query: Query, access: Access): Plan {
  const scope = new PlanScope(planning, query, access, query.selection.parameters)
  const type = planning.registry.require(query.uid)
  const root = planNode(scope, { type, via: 'root', through: null, path: '' }, query.selection)
  if (root === null) throw new Error(`The root of a plan for ${query.uid} was dropped`)
  return { query, root, reads: scope.reads }
}
