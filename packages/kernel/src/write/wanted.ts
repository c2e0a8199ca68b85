// Computes which entries a relation links to after a change.

import type { RelationAttribute } from '../model/content-type.ts'
import { arrange } from './order.ts'
import type { RelationChange } from './relation-input.ts'

/** The ids linked after the change. A relation to one entry links the last one (B-4.34). */
export function wantedIds(
  attribute: RelationAttribute,
  change: RelationChange,
  current: readonly number[],
): readonly number[] {
  const ids =
    change.kind === 'set'
      ? change.refs.map(ref => ref.id)
      : arrange(current, change.connect, new Set(change.disconnect.map(ref => ref.id)))
  if (attribute.many) return ids
  const last = change.kind === 'patch' && change.connect.length > 0 ? change.connect.at(-1)!.ref.id : ids.at(-1)
  return last === undefined ? [] : [last]
}
