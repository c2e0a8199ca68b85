// What a caller with a token may reach beside the entries it asks for (B-6.77). It holds without a plugin for roles; with
// one, both decide, and in the same way. It depends on the rights alone, never on the request.

import { type Access, invalidParameter, type Kernel, type PlanDraft, systemAccess } from '@plinth/kernel'
import type { TokenAccess } from './access.ts'
import { actionUid, tokenUid } from './types.ts'

type Actions = Pick<Kernel['actions'], 'of'>

/** Judges a node of a plan. Throws ValidationError for a filter or a sort key through a type that may not be found. */
export function judge(draft: PlanDraft, access: Access, actions: Actions): void {
  if (draft.via === 'root' || draft.via === 'rule' || access === systemAccess) return
  const isToken = (access as Partial<TokenAccess>).token !== undefined
  const isForbidden = isToken && draft.type.kind !== 'component' && !mayReach(draft, access, actions)
  if (isForbidden || isOfTokens(draft)) refuse(draft)
}

/** A polymorphic relation may lead to any type. It must not lead anybody to tokens. */
const isOfTokens = ({ type: { uid } }: PlanDraft) => uid === tokenUid || uid === actionUid

/** Media and creators need no right (B-2.86, B-3.30). */
function mayReach({ type, through }: PlanDraft, access: Access, actions: Actions): boolean {
  const isCreator = through?.name === 'createdBy' || through?.name === 'updatedBy'
  if (through?.type === 'media' || (isCreator && type.uid === 'admin::user')) return true
  return access.can(actions.of(type.uid, 'find'))
}

/** What is populated or linked is dropped without an error (B-2.86, B-4.3); what is asked about is not (B-2.10). */
function refuse(draft: PlanDraft): void {
  const { via, path } = draft
  if (via === 'filter' || via === 'sort') throw invalidParameter(path.slice(path.lastIndexOf('.') + 1), path)
  draft.drop()
}
