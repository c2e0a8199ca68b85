// The gate: decides for each node of a plan whether the caller may use it, which of its entries and which of its
// attributes. Every transport and every depth passes here. It depends on the rights alone, never on the request.

import type { Access, Attribute, ContentType, Kernel, PlanDraft } from '@plinth/kernel'
import type { Operation, OperationRule, RoleRules } from './rule.ts'

/** The rights of a caller with a role. */
export interface RoleAccess extends Access {
  readonly rules: RoleRules
}

/** The names of actions, as `kernel.actions` gives them. */
export type Actions = Pick<Kernel['actions'], 'of'>

/** Judges a node. Throws ValidationError for a filter or a sort key through a type that the caller may not find. */
export function judge(draft: PlanDraft, access: Access, actions: Actions): void {
  const { type, via } = draft
  // A component belongs to its entry. The rules of one role do not restrict what another rule looks at.
  if (type.kind === 'component' || via === 'rule') return
  if (via !== 'root' && !draft.isShownWithEntry && !access.can(actions.of(type.uid, 'find'))) {
    draft.refuse()
    return
  }
  const rules = (access as Partial<RoleAccess>).rules
  if (rules === undefined || rules.size === 0) return
  if (via === 'root') {
    restrictRoot(draft, access, rules, actions)
    return
  }
  const about = { type, access, rules, actions }
  restrictRead(draft, ruleOf(about, 'find'))
  if (via !== 'link' || !takesAway(draft.through)) return
  const change = ruleOf(about, 'update')
  if (change !== null && change.where !== null) draft.where(change.where)
}

/**
 * Whether a link takes an entry from the one that it was linked to: then it changes the entry, whose own side has one
 * value, as an update of that side would.
 */
function takesAway(through: Attribute | null): boolean {
  if (through?.kind !== 'relation' || !through.bidirectional) return false
  return through.relation === 'oneToMany' || through.relation === 'oneToOne'
}

function restrictRoot(draft: PlanDraft, access: Access, rules: RoleRules, actions: Actions): void {
  const { type, action, stage } = draft
  const about = { type, access, rules, actions }
  if (stage === 'target' || stage === 'result') {
    const rule = ruleOf(about, action as Operation)
    const condition = stage === 'result' ? rule?.check : rule?.where
    if (condition) draft.where(condition, { narrow: stage === 'target' && rule!.isNarrow })
    return
  }
  // What a write answers is hidden as in reads; no rule hides the entry itself.
  restrictRead(draft, ruleOf(about, action === 'find' || action === 'count' ? 'find' : 'findOne'))
}

function restrictRead(draft: PlanDraft, rule: OperationRule | null): void {
  if (rule === null) return
  // On the root of a write's answer, conditions have no effect.
  if (rule.where !== null) draft.where(rule.where, { narrow: draft.via === 'root' && rule.isNarrow })
  if (rule.hidden.length > 0) draft.hide(...rule.hidden)
}

/** What a rule is looked up by. */
interface About {
  readonly type: ContentType
  readonly access: Access
  readonly rules: RoleRules
  readonly actions: Actions
}

/** The rule for an operation; null if there is none, or if a plugin added the right to it for its own work. */
export function ruleOf({ type, access, rules, actions }: About, operation: Operation): OperationRule | null {
  const rule = rules.get(type.uid)?.[operation]
  if (rule === undefined) return null
  return access.added?.includes(actions.of(type.uid, operation)) ? null : rule
}
