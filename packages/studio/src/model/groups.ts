// Groups types below the headings of the navigation.

import { mayDo } from './build.ts'
import type { ContentType } from './types.ts'

export interface TypeGroup {
  readonly heading: string
  readonly types: readonly ContentType[]
}

/** The groups in the order in which their first types are in the model. Collections come before single types. */
export function groupTypes(
  types: readonly ContentType[],
  headings: Readonly<Record<ContentType['kind'], string>>,
): readonly TypeGroup[] {
  const groups = new Map<string, ContentType[]>()
  const add = (kind: ContentType['kind']) => {
    for (const type of types) {
      if (type.kind !== kind || type.isHidden || !isReachable(type)) continue
      const heading = type.group ?? headings[kind]
      groups.set(heading, [...(groups.get(heading) ?? []), type])
    }
  }
  add('collection')
  add('single')
  return [...groups].map(([heading, grouped]) => ({ heading, types: grouped }))
}

/** Returns whether the type has a page: a list, or a form. */
export const isReachable = (type: ContentType): boolean =>
  mayDo(type, 'find') || mayDo(type, type.kind === 'single' ? 'update' : 'create')
