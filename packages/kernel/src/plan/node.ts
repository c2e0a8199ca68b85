// Plans one node in passes, in the order in which v4 reports errors: filters, sort, fields, populate.

import { invalidParameter } from '../errors.ts'
import type { ScalarAttribute } from '../model/content-type.ts'
import type { Selection, Sort } from '../query/query.ts'
import type { PlanDraft } from './draft.ts'
import type { ReachedNode } from './open-node.ts'
import type { Order, PlanNode, RelationStep, Test } from './plan.ts'
import { planBranches } from './populate.ts'
import { comparableColumn, idColumn, readableColumn, readableStep, resolvePredicate, scalarColumn } from './resolve.ts'
import { byId, byIds, planSearch } from './root.ts'
import type { PlanScope } from './scope.ts'

/**
 * Plans a node; returns null if a plugin dropped it. The path of the root is empty. Throws ValidationError for names
 * that may not be used.
 */
export function planNode(scope: PlanScope, reached: ReachedNode, selection: Selection): PlanNode | null {
  const { type, path } = reached
  const draft = scope.open({ ...reached, path: path === '' ? type.singularName : path }, selection.parameters)
  if (draft.isDropped) {
    if (draft.dropReason !== null) scope.remark(leftOut(draft, draft.dropReason))
    return null
  }
  const at = (clause: string) => (path === '' ? clause : `${path}.${clause}`)
  const filters = selection.filters === null ? null : resolvePredicate(scope, draft, selection.filters, at('filters'))
  const order = selection.sort.map(key => resolveSort(scope, draft, key, at('sort')))
  const attributes = resolveFields(scope, draft, selection.fields, at('fields'))
  const branches = planBranches(scope, draft, selection, at('populate'))
  const isRoot = draft.via === 'root'
  const isOne = isRoot && scope.query.id !== null
  const isKnown = isRoot && scope.query.ids !== null
  // A query with ids ignores its filters, but still checks them (suite filters-logic).
  const where = both(draft.rules, isOne || isKnown ? null : filters)
  return {
    type,
    columns: [idColumn, ...attributes.map(one => scalarColumn(type, one))],
    attributes,
    where: isRoot ? ofRoot(scope, draft, where) : where,
    order: isOne ? [] : order,
    branches,
    meta: draft.metaMembers,
    isList: draft.isList || isKnown,
    isRestricted: draft.isRestricted,
    ...(scope.query.internal && { isStored: true }),
    ...(draft.hidden.size > 0 && { hidden: draft.hidden }),
  }
}

/** `populate: relation author left out, role public lacks api::author.author.find`. */
export function leftOut({ path, through }: PlanDraft, reason: string): string {
  return `${path.slice(0, path.lastIndexOf('.'))}: relation ${through?.name} left out, ${reason}`
}

/** The condition of the root: that of its node, the ids and the search. */
function ofRoot(scope: PlanScope, draft: PlanDraft, where: Test | null): Test | null {
  const { id, ids, search } = draft.query
  const idTest = both(id === null ? null : byId(id), ids === null ? null : byIds(ids))
  return both(both(idTest, where), search === null ? null : planSearch(scope, draft, search))
}

/** The conjunction of two tests, either of which may be missing. */
function both(one: Test | null, other: Test | null): Test | null {
  if (one === null || other === null) return one ?? other
  return { op: 'and', of: [one, other] }
}

/** The scalars to select: all in schema order, or named ones in the order of their names, as in v4. */
function resolveFields(
  scope: PlanScope,
  draft: PlanDraft,
  fields: readonly string[] | null,
  path: string,
): ScalarAttribute[] {
  const readable = [...draft.type.attributes.values()].filter(
    one => one.kind === 'scalar' && draft.isReadable(one),
  ) as ScalarAttribute[]
  if (fields === null) return readable
  for (const field of fields)
    if (field !== '*') scope.part(['fields', field], path, () => readableColumn(draft, field, path))
  if (fields.includes('*')) return readable
  const byName = new Map(readable.map(one => [one.name, one]))
  return [...new Set(fields)].flatMap(name => byName.get(name) ?? [])
}

function resolveSort(scope: PlanScope, draft: PlanDraft, key: Sort, path: string): Order {
  const steps: { step: RelationStep; visible: Test | null }[] = []
  let at = draft
  let below = path
  for (const name of key.path.slice(0, -1)) {
    below += `.${name}`
    const step = readableStep(scope, at, { name, path: below, via: 'sort' })
    at = scope.open({ type: step.to, via: 'sort', through: step.attribute, path: below })
    steps.push({ step, visible: at.rules })
  }
  const last = key.path.at(-1)
  if (last === undefined) throw invalidParameter('sort', path)
  const column = comparableColumn(scope, at, last, `${below}.${last}`)
  return { steps, column, descending: key.descending }
}
