// Plans one node in passes, in the order in which v4 reports errors: filters, sort, fields, populate.

import { invalidParameter } from '../errors.ts'
import type { ContentType, ScalarAttribute } from '../model/content-type.ts'
import type { Selection, Sort } from '../query/query.ts'
import type { Via } from './draft.ts'
import type { Column, Order, PlanNode, RelationStep, Test } from './plan.ts'
import { planBranches } from './populate.ts'
import { idColumn, readableColumn, readableStep, resolvePredicate, scalarColumn } from './resolve.ts'
import type { PlanScope } from './scope.ts'

/** Plans a node; returns null if a plugin dropped it. Throws ValidationError for names that may not be used. */
export function planNode(
  scope: PlanScope,
  type: ContentType,
  selection: Selection,
  via: Via,
  path: string,
): PlanNode | null {
  const draft = scope.open(type, via, path === '' ? type.singularName : path, selection.parameters)
  if (draft.isDropped) return null
  const at = (clause: string) => (path === '' ? clause : `${path}.${clause}`)
  const filters = selection.filters === null ? null : resolvePredicate(scope, type, selection.filters, at('filters'))
  const order = selection.sort.map(key => resolveSort(scope, type, key, at('sort')))
  const attributes = resolveFields(scope, type, selection.fields, at('fields'))
  const branches = planBranches(scope, type, selection, at('populate'))
  // A query with an id ignores its filters, but still checks them (suite filters-logic).
  const isNamed = via === 'root' && scope.query.id !== null
  return {
    type,
    columns: [idColumn, ...attributes.map(scalarColumn)],
    attributes,
    where: both(draft.rules, isNamed ? null : filters),
    order: isNamed ? [] : order,
    branches,
    meta: draft.metaLists,
    isList: draft.isList,
  }
}

/** The conjunction of two tests, either of which may be missing. */
export function both(one: Test | null, other: Test | null): Test | null {
  if (one === null || other === null) return one ?? other
  return { op: 'and', of: [one, other] }
}

/** The scalars to select: all in schema order, or named ones in the order of their names, as in v4. */
function resolveFields(
  scope: PlanScope,
  type: ContentType,
  fields: readonly string[] | null,
  path: string,
): ScalarAttribute[] {
  const readable = [...type.attributes.values()].filter(
    one => one.kind === 'scalar' && (scope.query.internal || !one.private),
  ) as ScalarAttribute[]
  if (fields === null) return readable
  for (const field of fields) if (field !== '*') readableColumn(scope, type, field, path)
  if (fields.includes('*')) return readable
  const byName = new Map(readable.map(one => [one.name, one]))
  return [...new Set(fields)].flatMap(name => byName.get(name) ?? [])
}

function resolveSort(scope: PlanScope, type: ContentType, key: Sort, path: string): Order {
  const steps: { step: RelationStep; visible: Test | null }[] = []
  let at = type
  let below = path
  for (const name of key.path.slice(0, -1)) {
    below += `.${name}`
    const step = readableStep(scope, at, name, below)
    steps.push({ step, visible: scope.visible(step.to, 'sort', below) })
    at = step.to
  }
  const last = key.path.at(-1)
  if (last === undefined) throw invalidParameter('sort', path)
  const column: Column = readableColumn(scope, at, last, `${below}.${last}`)
  return { steps, column, descending: key.descending }
}
