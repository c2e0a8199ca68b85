// Decides which lock the target of a link needs. Knows neither rows nor SQL.

import { type ContentType, inverseOfMorph, type RelationAttribute, takesTargets } from '../model/content-type.ts'
import type { LockMode } from '../sql/locks.ts'

/** `change` prevents other writes from changing a row, `share` from deleting it. */
export type LinkLock = Exclude<LockMode, 'remove'>

/**
 * The lock that the target of a link needs; null if a foreign key and a unique index protect the link. Polymorphic
 * links that both sides can write are locked, so that only one side writes at a time.
 */
export function linkLock(own: ContentType, attribute: RelationAttribute, target: ContentType): LinkLock | null {
  if (takesTargets(attribute)) return 'change'
  switch (attribute.storage.kind) {
    case 'inverseMorphs':
    case 'inverseMorphColumns':
      return 'change'
    case 'morphs':
    case 'morphColumns':
      return morphLock(own, attribute, target)
    default:
      return null
  }
}

/** The lock that the target of a polymorphic relation needs. */
export function morphLock(own: ContentType, attribute: RelationAttribute, target: ContentType): LinkLock {
  return inverseOfMorph(own, attribute, target) === null ? 'share' : 'change'
}
