// The gate: decides for each node of a plan whether the caller may use it, which of its entries and which of its
// attributes. Every transport and every depth passes here. It depends on the rights alone, never on the request.

import { type Access, type ContentType, type Kernel, labelOf, type PlanDraft } from '@plinth/kernel'
import { noRules, type Operation, type OperationRule, type RoleRules } from './rule.ts'

declare module '@plinth/kernel' {
  interface Access {
    /** The rules of the caller's role, which restrict what it may read and write; none without a role. */
    readonly roleRules?: RoleRules
  }
}

/** The names of actions, as `kernel.actions` gives them. */
export type Actions = Pick<Kernel['actions'], 'of'>

/**
 * Restricts a node to what the caller may use of it. Throws ValidationError for a filter or a sort key through a type
 * that the caller may not find.
 */
export function restrictNode(draft: PlanDraft, access: Access, actions: Actions): void {
  const { type, via } = draft
  // A component belongs to its entry. The rules of one role do not restrict what another rule looks at.
  if (type.kind === 'component' || via === 'rule') return
  const { roleRules: rules = noRules } = access
  const lookup = { type, access, rules, actions }
  if (via === 'link') restrictLink(draft, ruleOf(lookup, 'update'))
  if (via !== 'root' && !draft.isShownWithEntry) {
    const find = actions.of(type.uid, 'find')
    if (!access.can(find)) {
      draft.refuse(`${labelOf(access)} lacks ${find}`)
      return
    }
  }
  if (rules.size === 0) return
  if (via === 'root') restrictRoot(draft, lookup)
  else restrictRead(draft, ruleOf(lookup, 'find'))
}

/** A link changes the entry as an update of the other side of the relation would. */
function restrictLink(draft: PlanDraft, change: OperationRule | null): void {
  if (change === null) return
  draft.forbid(...change.hidden)
  // If the other side has one value, the entry is taken from the one that it was linked to.
  if (change.where !== null && draft.inverses.some(one => !one.many)) draft.where(change.where)
}

function restrictRoot(draft: PlanDraft, lookup: RuleLookup): void {
  const { action, stage } = draft
  if (stage === 'target' || stage === 'result') {
    const rule = ruleOf(lookup, action as Operation)
    const condition = stage === 'result' ? rule?.check : rule?.where
    if (condition) draft.where(condition, { narrow: stage === 'target' && rule!.isNarrow })
    if (stage === 'result' && rule !== null) draft.forbid(...rule.hidden)
    return
  }
  // The answer of a write is restricted as that of a read; no rule hides the entry itself.
  restrictRead(draft, ruleOf(lookup, action === 'find' || action === 'count' ? 'find' : 'findOne'))
}

function restrictRead(draft: PlanDraft, rule: OperationRule | null): void {
  if (rule === null) return
  // On the root of a write's answer, conditions have no effect.
  if (rule.where !== null) draft.where(rule.where, { narrow: draft.via === 'root' && rule.isNarrow })
  if (rule.hidden.length > 0) draft.hide(...rule.hidden)
}

/** The key by which a rule is looked up. */
interface RuleLookup {
  readonly type: ContentType
  readonly access: Access
  readonly rules: RoleRules
  readonly actions: Actions
}

/** The rule for an operation; null if there is none, or if a plugin added the right to it for its own work. */
export function ruleOf({ type, access, rules, actions }: RuleLookup, operation: Operation): OperationRule | null {
  const rule = rules.get(type.uid)?.[operation]
  if (rule === undefined) return null
  return access.added?.includes(actions.of(type.uid, operation)) ? null : rule
}
