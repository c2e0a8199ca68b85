// Computes which entries a relation links to after a change.

import type { RelationAttribute } from '../model/content-type.ts'
import { arrange } from './order.ts'
import type { RelationChange } from './relation-input.ts'

type Patch = Extract<RelationChange, { kind: 'patch' }>

/** The ids linked after the change. A relation to one entry links the last one (B-4.34). */
export function wantedIds(
  attribute: RelationAttribute,
  change: RelationChange,
  current: readonly number[],
): readonly number[] {
  if (attribute.many) return change.kind === 'set' ? change.refs.map(ref => ref.id) : arrange(current, change)
  const ids = change.kind === 'set' ? change.refs.map(ref => ref.id) : lastConnected(change, current)
  return ids.slice(-1)
}

/** A relation to one entry has no places: v4 ignores positions there. */
function lastConnected({ connect, disconnect }: Patch, current: readonly number[]): readonly number[] {
  if (connect.length > 0) return connect.map(one => one.ref.id)
  return current.filter(id => !disconnect.some(one => one.id === id))
}
