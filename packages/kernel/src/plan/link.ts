// Plans the test of links: which entries of a type the rules of plugins let a caller link through a relation. Like every
// node it passes the gate of the scope. Knows neither the entries nor the input that names them.

import type { Access } from '../context.ts'
import { type ContentType, inversesOf, type RelationAttribute } from '../model/content-type.ts'
import type { Query } from '../query/query.ts'
import type { PlanDraft } from './draft.ts'
import { leftOut } from './node.ts'
import type { Column, Plan, Test } from './plan.ts'
import { plainSelection } from './populate.ts'
import { idColumn } from './resolve.ts'
import { byIds } from './root.ts'
import { type Planning, PlanScope } from './scope.ts'

/** The write that links: its type, and the action whose right it needs. */
export interface LinkingWrite {
  readonly uid: string
  readonly action: 'create' | 'update'
}

/** A relation, and one of the types that it may link to. */
export interface LinkStep {
  /** The type or the component that has the relation. */
  readonly own: ContentType
  readonly attribute: RelationAttribute
  readonly target: ContentType
  /** The types from whose entries a link must not take its target, because their links may not be changed. */
  readonly protectedOwners: readonly ContentType[]
}

/** The restrictions, by the rules of plugins, of links through a relation to entries of one type. */
export interface LinkPlan {
  /** True if the relation is taken out of the input (B-4.3). */
  readonly isDropped: boolean
  /** The reason why it is taken out, for the developer of the application; null if there is none. */
  readonly dropReason?: string | null
  /** The reason to refuse the relation: it changes an attribute of the target that may not be written; else null. */
  readonly refusal: string | null
  /** Finds those of the ids in slot 0 that may be linked; null if any entry may be. */
  readonly linkable: Plan | null
  /** Finds those of the ids in slot 0 that the link would take from a protected owner; null if there is none. */
  readonly takenFromProtected: Plan | null
}

/** Plans the test of a link. Throws what `prePlan` hooks throw. */
export function planLink(planning: Planning, { uid, action }: LinkingWrite, step: LinkStep, access: Access): LinkPlan {
  const { own, attribute, target } = step
  // A caller may link the entries that it may see: the entry is read, and nothing is changed in it.
  const query: Query = {
    ...{ uid, action, stage: 'read', selection: plainSelection, search: null, id: null, ids: null, page: null },
    ...{ counted: false, internal: false, meta: false, maxCost: null, shape: '' },
  }
  const scope = new PlanScope(planning, { query, access, refused: null }, [])
  const path = `data.${attribute.name}`
  const inverses = inversesOf(own, attribute, target)
  const draft = scope.open({ type: target, via: 'link', through: attribute, inverses, path })
  const refusal = refusalOf(draft, scope.forbidden)
  if (draft.isDropped) {
    const dropReason = draft.dropReason === null ? null : leftOut(draft, draft.dropReason)
    return { isDropped: true, dropReason, refusal, linkable: null, takenFromProtected: null }
  }
  const idTest = byIds(0)
  const find = (test: Test | null): Plan | null => {
    if (test === null) return null
    const root = {
      ...{ type: target, columns: [idColumn], attributes: [], where: { op: 'and', of: [idTest, test] } as const },
      ...{ order: [], branches: [], meta: [], isList: true, isRestricted: true },
    }
    return { query, root, reads: scope.reads, forbidden: scope.forbidden, closed: scope.closed, remarks: [] }
  }
  return { isDropped: false, refusal, linkable: find(draft.rules), takenFromProtected: find(keptTest(step, inverses)) }
}

/** Names the attribute of the target only to who may know it. */
function refusalOf(draft: PlanDraft, forbidden: ReadonlySet<string>): string | null {
  const changed = draft.inverses.filter(one => forbidden.has(one.name))
  if (changed.length === 0) return null
  const name = draft.through!.name
  const [readableInverse] = draft.isDropped ? [] : changed.filter(one => draft.isReadable(one))
  const why =
    readableInverse === undefined ? 'must not be sent' : `changes "${readableInverse.name}" of ${draft.type.uid}`
  return `"${name}" ${why}`
}

/** The test that an entry is linked by an entry of a protected owner, from which a link would take it; null without protected owners. */
function keptTest(
  { own, attribute, target, protectedOwners }: LinkStep,
  inverses: readonly RelationAttribute[],
): Test | null {
  if (protectedOwners.length === 0) return null
  if (attribute.storage.kind === 'inverseMorphColumns') {
    const column: Column = { table: target.table, name: 'target_type', column: 'target_type', storage: 'string' }
    const operand = { perRequest: () => protectedOwners.map(one => one.uid), isConstant: true }
    return { op: 'compare', column, comparison: 'in', operand, cast: one => one }
  }
  const of: Test[] = inverses.map(inverse => {
    const step = { from: target, attribute: inverse, to: own }
    return { op: 'linked', step, where: null, visible: null, orMissing: false }
  })
  return { op: 'or', of }
}
