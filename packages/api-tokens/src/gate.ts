// What a caller with a token may reach beside the entries it asks for (B-6.77). It holds without a plugin for roles; with
// one, both decide, and in the same way. It depends on the rights alone, never on the request.

import { type Access, type Kernel, type PlanDraft, systemAccess } from '@plinth/kernel'
import type { TokenAccess } from './access.ts'
import { actionUid, tokenUid } from './types.ts'

type Actions = Pick<Kernel['actions'], 'of'>

/** Judges a node of a plan. Throws ValidationError for a filter or a sort key through a type that may not be found. */
export function judge(draft: PlanDraft, access: Access, actions: Actions): void {
  if (draft.via === 'root' || draft.via === 'rule' || access === systemAccess) return
  const isToken = (access as Partial<TokenAccess>).token !== undefined
  const isForbidden = isToken && !draft.isShownWithEntry && !access.can(actions.of(draft.type.uid, 'find'))
  if (isForbidden || isOfTokens(draft)) draft.refuse()
}

/** A polymorphic relation may lead to any type. It must not lead anybody to tokens. */
const isOfTokens = ({ type: { uid } }: PlanDraft) => uid === tokenUid || uid === actionUid
