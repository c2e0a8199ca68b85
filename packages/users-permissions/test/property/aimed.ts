// Questions about one place: filters and sort keys that lead from a type to what was changed.

import type { FindOptions } from '@plinth/kernel'
import type { Change } from './changes.ts'
import type { Random } from './random.ts'
import { isMany, type Name, shapes } from './world.ts'

/** Parameters that ask about a change; null if no short path leads to it. */
export function aimedAt(random: Random, root: Name, change: Change): FindOptions | null {
  const { at, kind } = change
  const [key, from] =
    kind === 'links' && random.chance(0.5) ? otherSide(change) : [at.key, { name: at.name, id: changedId(change) }]
  if (key === null) return null
  const paths = pathsTo(root, from.name)
  const single = paths.filter(path => path.every(([, many]) => !many))
  if (paths.length === 0) return null
  if (kind === 'scalar' && single.length > 0 && random.chance(0.6)) {
    const path = random.pick(single)
    const order = random.pick(['asc', 'desc'])
    return { sort: [`${[...path.map(([step]) => step), key].join('.')}:${order}`, 'id'] }
  }
  const path = random.pick(paths)
  const condition = kind === 'scalar' ? random.pick([change.before, change.after]) : { id: from.id }
  const filter = path.reduceRight<object>((inner, [step]) => ({ [step]: inner }), { [key]: condition })
  return { filters: random.chance(0.2) ? { $not: filter } : filter } as FindOptions
}

/** The target of a link that is changed. */
function changedId({ kind, before, after }: Change): number {
  if (kind === 'scalar') return 0
  return [...before.filter(id => !after.includes(id)), ...after.filter(id => !before.includes(id))][0]!
}

/** The attribute and the type on the other side of a link, and the entry that it leads to. */
function otherSide({ at }: Change): readonly [string | null, { readonly name: Name; readonly id: number }] {
  const { to, inverse } = shapes[at.name].joins[at.key]!
  return [inverse, { name: to, id: at.id }]
}

/** The ways of at most two steps from one type to another, and whether each step leads to many. */
function pathsTo(root: Name, name: Name): (readonly (readonly [string, boolean])[])[] {
  const steps = (from: Name) => Object.entries(shapes[from].joins)
  const paths = steps(root).flatMap(([key, join]) => {
    const first = [key, isMany(join)] as const
    const further = steps(join.to).filter(([, { to }]) => to === name)
    return [
      ...(join.to === name ? [[first]] : []),
      ...further.map(([below, next]) => [first, [below, isMany(next)] as const]),
    ]
  })
  return root === name ? [[], ...paths] : paths
}
