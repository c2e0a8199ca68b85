// Plans the test of links: which entries of a type the rules of plugins let a caller link through a relation. Like every
// node it passes the gate of the scope. Knows neither the entries nor the input that names them.

import type { Access } from '../context.ts'
import type { ContentType, RelationAttribute } from '../model/content-type.ts'
import type { Query } from '../query/query.ts'
import { castId } from './cast.ts'
import type { Plan, Test } from './plan.ts'
import { plainSelection } from './populate.ts'
import { idColumn } from './resolve.ts'
import { type Planning, PlanScope } from './scope.ts'

/** The write that links: its type, and the action whose right it needs. */
export interface LinkingWrite {
  readonly uid: string
  readonly action: 'create' | 'update'
}

/** A relation, and one of the types that it may link to. */
export interface LinkStep {
  readonly attribute: RelationAttribute
  readonly target: ContentType
}

/** What the rules of plugins say about links through a relation to entries of one type. */
export interface LinkPlan {
  /** Whether the relation is taken out of the input (B-4.3). */
  readonly isDropped: boolean
  /** Finds those of the ids in slot 0 that may be linked; null if any entry may be. */
  readonly plan: Plan | null
}

/** Plans the test of a link. Throws what `prePlan` hooks throw. */
export function planLink(
  planning: Planning,
  { uid, action }: LinkingWrite,
  { attribute, target }: LinkStep,
  access: Access,
): LinkPlan {
  // What a caller may link is what it may see: the entry is read, and nothing is changed in it.
  const query: Query = {
    ...{ uid, action, stage: 'read', selection: plainSelection, search: null, id: null, page: null },
    ...{ counted: false, internal: false, meta: false, known: false, maxCost: null, shape: '' },
  }
  const scope = new PlanScope(planning, query, access, [])
  const draft = scope.open({ type: target, via: 'link', through: attribute, path: `data.${attribute.name}` })
  if (draft.isDropped) return { isDropped: true, plan: null }
  const { rules } = draft
  if (rules === null) return { isDropped: false, plan: null }
  const named: Test = { op: 'compare', column: idColumn, comparison: 'in', operand: { slot: 0 }, cast: castId }
  const root = {
    ...{ type: target, columns: [idColumn], attributes: [], where: { op: 'and', of: [named, rules] } as const },
    ...{ order: [], branches: [], meta: [], isList: true, isRestricted: true },
  }
  return { isDropped: false, plan: { query, root, reads: scope.reads } }
}
