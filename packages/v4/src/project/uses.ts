// Finds the parts of v4's objects that code uses, and where; and the events of lifecycles.

import { chainsOf, firstText } from '../syntax/chains.ts'
import { lineOf } from '../syntax/tree.ts'
import { isNothing, memberOf, textsOf } from '../syntax/values.ts'
import type { LifecyclesOf, TypeOfProject, Use } from './model.ts'
import type { Sources } from './sources.ts'

const objects: readonly Use['object'][] = ['strapi', 'ctx', 'event', 'policyContext']

/** The uses in all code. */
export function usesOf(sources: Sources): readonly Use[] {
  return sources.code().flatMap(file => {
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

/** The lifecycles in files of content types, and those that code subscribes to. */
export function lifecyclesOf(sources: Sources, types: readonly TypeOfProject[]): readonly LifecyclesOf[] {
  return [...ownLifecycles(sources, types), ...subscribedLifecycles(sources)]
}

function ownLifecycles(sources: Sources, types: readonly TypeOfProject[]): readonly LifecyclesOf[] {
  return types.flatMap(({ uid, api, name }) => {
    const file = sources.locate(`src/api/${api}/content-types/${name}/lifecycles`)
    const value = file === null ? null : sources.module(file)?.exported()
    if (file === null) return []
    return [{ uid, file, events: value?.kind === 'object' ? [...value.members.keys()] : [] }]
  })
}

/** `strapi.db.lifecycles.subscribe({ models, beforeCreate() {} })`: without `models`, of all types. */
function subscribedLifecycles(sources: Sources): readonly LifecyclesOf[] {
  return sources.below('src').flatMap(file => {
    const module = /lifecycles/.test(sources.text(file)) ? sources.module(file) : null
    if (module === null) return []
    return chainsOf(module.program, ['strapi']).flatMap(({ steps }) => {
      const [db, lifecycles, subscribe] = steps
      const [subscriber] = subscribe?.args ?? []
      if (db?.name !== 'db' || lifecycles?.name !== 'lifecycles' || subscribe?.name !== 'subscribe') return []
      const value = subscriber === undefined ? undefined : module.evaluate(subscriber)
      const models = memberOf(value, 'models')
      const uids = isNothing(models) ? ['all types'] : (textsOf(models) ?? ['types that could not be read'])
      const names = value?.kind === 'object' ? [...value.members.keys()] : []
      const events = names.filter(name => /^(?:before|after)[A-Z]/.test(name))
      return uids.map(uid => ({ uid, file, events }))
    })
  })
}
