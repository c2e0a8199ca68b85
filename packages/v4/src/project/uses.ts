// Which parts of v4's objects code uses, and where; and which events lifecycles have.

import { chainsOf, firstText } from '../syntax/chains.ts'
import { lineOf } from '../syntax/tree.ts'
import type { LifecyclesOf, TypeOfProject, Use } from './model.ts'
import type { Sources } from './sources.ts'

const objects: readonly Use['object'][] = ['strapi', 'ctx', 'event', 'policyContext']

/** The uses in all code of `src`. */
export function usesOf(sources: Sources): readonly Use[] {
  return sources.below('src').flatMap(file => {
    const module = sources.module(file)
    if (module === null) return []
    return chainsOf(module.program, objects).map(({ root, steps, node }) => ({
      object: root as Use['object'],
      path: steps.map(({ name }) => name ?? '[…]').join('.'),
      argument: steps.map(firstText).find(text => text !== null) ?? null,
      file,
      line: lineOf(node),
    }))
  })
}

export function lifecyclesOf(sources: Sources, types: readonly TypeOfProject[]): readonly LifecyclesOf[] {
  return types.flatMap(({ uid, api, name }) => {
    const file = sources.locate(`src/api/${api}/content-types/${name}/lifecycles`)
    const value = file === null ? null : sources.module(file)?.exported()
    if (file === null) return []
    return [{ uid, file, events: value?.kind === 'object' ? [...value.members.keys()] : [] }]
  })
}
