// Plans a query. The plan is a function of the shape and `access.key`: the planner sees neither values nor the request.

import type { Access } from '../context.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Query, Slot } from '../query/query.ts'
import { castId, castOf } from './cast.ts'
import { both, planNode } from './node.ts'
import type { Plan, Test } from './plan.ts'
import { idColumn, scalarColumn } from './resolve.ts'
import { type Planning, PlanScope } from './scope.ts'

/** Plans a query. Throws ValidationError for names that may not be used, and what `prePlan` hooks throw. */
export function makePlan(planning: Planning, query: Query, access: Access): Plan {
  const { parameters } = query.selection
  const scope = new PlanScope(planning, query, access, parameters)
  const root = planNode(scope, planning.registry.require(query.uid), query.selection, 'root', '')
  if (root === null) throw new Error(`The root of a plan for ${query.uid} was dropped`)
  const named = query.id === null ? null : byId(query.id)
  const search = query.search === null ? null : planSearch(root.type, query.search)
  const where = both(both(named, root.where), search)
  return { query, root: { ...root, where }, reads: scope.reads }
}

function byId(slot: Slot): Test {
  return { op: 'compare', column: idColumn, comparison: 'eq', operand: { slot }, cast: castId }
}

/** `_q`: searches all text attributes that are not private, and the numbers if the text is one (B-2.142). */
function planSearch(type: ContentType, search: NonNullable<Query['search']>): Test {
  const operand = { slot: search.slot }
  const of: Test[] = [{ op: 'compare', column: idColumn, comparison: 'containsi', operand, cast: String }]
  for (const attribute of type.attributes.values()) {
    if (attribute.kind !== 'scalar' || attribute.private || attribute.definition.searchable === false) continue
    const column = scalarColumn(attribute)
    if (attribute.scalar.search === 'text')
      of.push({ op: 'compare', column, comparison: 'containsi', operand, cast: String })
    if (attribute.scalar.search === 'number' && search.isNumeric) {
      of.push({ op: 'compare', column, comparison: 'eq', operand, cast: castOf(attribute.scalar.family, '_q') })
    }
  }
  return { op: 'or', of }
}
