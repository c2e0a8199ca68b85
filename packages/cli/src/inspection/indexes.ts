// Attributes by which the code of a v4 project sorts or filters, and whose columns have no index.

import type { Registry } from '@plinth/kernel'
import type { ComparedPath } from '@plinth/v4/project'

/** An attribute without an index. */
export interface UnindexedAttribute {
  readonly path: string
  readonly by: readonly string[]
  readonly places: readonly string[]
}

export function unindexedIn(compared: readonly ComparedPath[], contentTypes: Registry): readonly UnindexedAttribute[] {
  const comparisons = new Map<string, { by: Set<string>; places: Set<string> }>()
  for (const { uid, attribute, by, file, line } of compared) {
    if (!needsIndex(contentTypes, uid, attribute)) continue
    const path = `${uid}.${attribute}`
    const one = comparisons.get(path) ?? { by: new Set(), places: new Set() }
    one.by.add(by)
    one.places.add(`${file}:${line}`)
    comparisons.set(path, one)
  }
  return [...comparisons].map(([path, { by, places }]) => ({ path, by: [...by], places: [...places] }))
}

/** Returns whether it is a column without an index of its own. Links have indexes. */
function needsIndex(contentTypes: Registry, uid: string, name: string): boolean {
  const type = contentTypes.values().find(one => one.uid === uid)
  const attribute = type?.attributes.get(name)
  if (type === undefined || attribute?.kind !== 'scalar' || name === 'id') return false
  const { unique, indexed } = attribute as { readonly unique?: unknown; readonly indexed?: unknown }
  return !unique && !indexed && name !== 'publishedAt'
}
