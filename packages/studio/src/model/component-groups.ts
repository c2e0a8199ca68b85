// Groups the components that a zone takes by their categories, as far as they fit what is searched.

import type { Component } from './types.ts'

export interface ComponentGroup {
  readonly category: string
  readonly components: readonly Component[]
}

/** The components of which the name or the category contains each searched word, in the order of the zone. */
export function groupComponents(components: readonly Component[], searched: string): readonly ComponentGroup[] {
  const words = searched.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = ({ label, category, uid }: Component) => {
    const text = `${label} ${category} ${uid}`.toLowerCase()
    return words.every(word => text.includes(word))
  }
  const groups = Map.groupBy(components.filter(fits), ({ category }) => category)
  return [...groups].map(([category, members]) => ({ category, components: members }))
}
