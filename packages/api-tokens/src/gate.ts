// Restricts what a caller with a token may reach beside the entries it asks for (B-6.77). It holds without a plugin for roles; with
// one, both decide, and in the same way. It depends on the rights alone, never on the request.

import { type Access, type Kernel, labelOf, type PlanDraft, systemAccess } from '@plinth/kernel'
import { actionUid, tokenUid } from './types.ts'

type Actions = Pick<Kernel['actions'], 'of'>

/**
 * Refuses a node that a caller with a token may not reach, and any that leads to tokens. Throws ValidationError for a
 * filter or a sort key through such a type.
 */
export function refuseClosedTypes(draft: PlanDraft, access: Access, actions: Actions): void {
  if (draft.via === 'root' || draft.via === 'rule' || access === systemAccess) return
  if (access.token !== undefined && !draft.isShownWithEntry) {
    // Components, which are shown with their entry, have no actions.
    const find = actions.of(draft.type.uid, 'find')
    if (!access.can(find)) {
      draft.refuse(`${labelOf(access)} lacks ${find}`)
      return
    }
  }
  if (isOfTokens(draft)) draft.refuse('nobody reaches tokens through a relation')
}

/** A polymorphic relation may lead to any type. It must not lead anybody to tokens. */
const isOfTokens = ({ type: { uid } }: PlanDraft) => uid === tokenUid || uid === actionUid
