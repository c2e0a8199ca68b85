// Finds the attributes that code sorts or filters by, in queries of entityService and db.query: an attribute without an
// index makes such a query slow on a large table.

import { chainsOf, type Step } from '../syntax/chains.ts'
import type { SourceModule } from '../syntax/module.ts'
import { lineOf } from '../syntax/tree.ts'
import { textOf, type Value } from '../syntax/values.ts'
import type { ComparedPath } from './model.ts'
import type { Sources } from './sources.ts'

/** The attributes, in the order of the code. What code makes at run time is left out. */
export function comparedIn(sources: Sources): readonly ComparedPath[] {
  return sources.code().flatMap(file => {
    if (!/entityService|\bquery\s*\(/.test(sources.text(file))) return []
    const module = sources.module(file)
    if (module === null) return []
    return chainsOf(module.program, ['strapi']).flatMap(({ steps, node }) => {
      const uid = uidIn(module, steps)
      if (uid === null) return []
      const parameters = parametersIn(module, steps.at(-1)!)
      const place = { uid, file, line: lineOf(node) }
      return [
        ...[...sortsIn(parameters.get('sort')), ...sortsIn(parameters.get('orderBy'))].map(attribute => ({
          ...place,
          attribute,
          by: 'sort' as const,
        })),
        ...[...filtersIn(parameters.get('filters')), ...filtersIn(parameters.get('where'))].map(attribute => ({
          ...place,
          attribute,
          by: 'filter' as const,
        })),
      ]
    })
  })
}

/** The first uid that a step is called with. */
function uidIn(module: SourceModule, steps: readonly Step[]): string | null {
  for (const { args } of steps) {
    const text = args?.[0] === undefined ? null : textOf(module.evaluate(args[0]))
    if (text !== null && /^(?:api|plugin)::[\w-]+\.[\w-]+$/.test(text)) return text
  }
  return null
}

/** The members of the object with which the last step is called. */
function parametersIn(module: SourceModule, { args }: Step): ReadonlyMap<string, Value> {
  const members = new Map<string, Value>()
  for (const argument of args ?? []) {
    const value = module.evaluate(argument)
    if (value.kind === 'object') for (const [name, one] of value.members) members.set(name, one)
  }
  return members
}

/** `'a:asc,b'`, `['a', { b: 'desc' }]`, `{ a: 'asc' }`. */
function sortsIn(value: Value | undefined): readonly string[] {
  if (value?.kind === 'list') return value.items.flatMap(sortsIn)
  if (value?.kind === 'object') return [...value.members.keys()]
  const text = textOf(value)
  return text === null ? [] : text.split(',').map(one => one.trim().split(/[:\s]/)[0]!)
}

/** Names of attributes, also below `$and`, `$or` and `$not`. */
function filtersIn(value: Value | undefined): readonly string[] {
  if (value?.kind === 'list') return value.items.flatMap(filtersIn)
  if (value?.kind !== 'object') return []
  return [...value.members].flatMap(([name, one]) => (name.startsWith('$') ? filtersIn(one) : [name]))
}
