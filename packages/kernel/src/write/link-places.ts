// Finds the relations by which an entry links to a type: for errors, whose messages in v4 name no path (B-4.37). Runs
// only if a write is refused.

import type { InputEntry } from './parse.ts'
import type { RelationChange } from './relation-input.ts'

/** Returns the paths of the relations of `entry` and its components with a sent link to an entry of `uid`. */
export function linkPlaces(entry: InputEntry, uid: string, path = ''): string[] {
  const own = entry.relations
    .filter(({ attribute, change }) => targetsOf(change).some(({ type }) => (attribute.target ?? type) === uid))
    .map(({ attribute }) => path + attribute.name)
  const inComponents = entry.components.flatMap(({ attribute, items }) => {
    const isList = attribute.kind === 'zone' || attribute.many
    return items.flatMap((item, i) => linkPlaces(item, uid, `${path}${attribute.name}.${isList ? `${i}.` : ''}`))
  })
  return [...own, ...inComponents]
}

function targetsOf(change: RelationChange) {
  return change.kind === 'set' ? change.refs : change.connect.map(one => one.ref)
}
