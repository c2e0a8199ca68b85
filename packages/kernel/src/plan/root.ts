// The conditions of a plan that no filter of the caller makes: the ids of its entries, and the text that `_q` searches for.

import { conversionFault } from '../model/divergence.ts'
import type { Query, Slot } from '../query/query.ts'
import { castId, castOf } from './cast.ts'
import type { PlanDraft } from './draft.ts'
import type { Test } from './plan.ts'
import { idColumn, scalarColumn } from './resolve.ts'
import type { PlanScope } from './scope.ts'

/** The condition that the entry has the id of the slot. */
export function byId(slot: Slot): Test {
  return { op: 'compare', column: idColumn, comparison: 'eq', operand: { slot }, cast: castId }
}

/** The condition that the entry has one of the ids of the slot. */
export function byIds(slot: Slot): Test {
  return { op: 'compare', column: idColumn, comparison: 'in', operand: { slot }, cast: castId }
}

/** `_q`: searches all text attributes that the caller may read, and the numbers if the text is one (B-2.142). */
export function planSearch(scope: PlanScope, draft: PlanDraft, search: NonNullable<Query['search']>): Test {
  const operand = { slot: search.slot }
  const of: Test[] = [{ op: 'compare', column: idColumn, comparison: 'containsi', operand, cast: String }]
  for (const attribute of draft.type.attributes.values()) {
    if (attribute.kind !== 'scalar' || attribute.private || draft.hides(attribute.name)) continue
    if (attribute.definition.searchable === false) continue
    if (conversionFault(scope.registry.divergence, attribute) !== null) continue
    const column = scalarColumn(draft.type, attribute)
    if (attribute.scalar.search === 'text')
      of.push({ op: 'compare', column, comparison: 'containsi', operand, cast: String })
    if (attribute.scalar.search === 'number' && search.isNumeric) {
      of.push({ op: 'compare', column, comparison: 'eq', operand, cast: castOf(attribute.scalar.family, '_q') })
    }
  }
  return { op: 'or', of }
}
