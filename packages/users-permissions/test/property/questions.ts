// Random questions about the five types: filters, sorts, searches, pages, and populates to depth 3.

import type { FindOptions } from '@plinth/kernel'
import type { Random } from './random.ts'
import { randomFilter } from './roles.ts'
import { isMany, type Name, shapes } from './world.ts'

/** The parameters of a list. */
export function randomQuestion(random: Random, name: Name): FindOptions {
  const clauses: Record<string, unknown> = selection(random, name, 3)
  if (random.chance(0.15)) clauses._q = random.pick(['alpha', 'a', '2', '1'])
  if (random.chance(0.4)) clauses.pagination = { page: random.between(1, 2), pageSize: random.between(1, 4) }
  return clauses
}

function selection(random: Random, name: Name, depth: number): Record<string, unknown> {
  const clauses: Record<string, unknown> = {}
  if (random.chance(0.5)) clauses.filters = randomFilter(random, name, 2, false)
  if (random.chance(0.5)) clauses.sort = Array.from({ length: random.between(1, 2) }, () => sortKey(random, name))
  if (random.chance(0.15)) clauses.fields = random.some(Object.keys(shapes[name].scalars), 1, 2)
  if (depth > 0 && random.chance(0.7)) clauses.populate = random.chance(0.1) ? '*' : populate(random, name, depth)
  return clauses
}

function populate(random: Random, name: Name, depth: number): Record<string, unknown> {
  const { joins } = shapes[name]
  const chosen = random.some(Object.keys(joins), 1, 2)
  return Object.fromEntries(
    chosen.map(key => {
      const { to } = joins[key]!
      const below = selection(random, to, depth - 1)
      if (isMany(joins[key]!) && random.chance(0.15)) {
        const { filters } = below
        return [key, { count: true, ...(filters === undefined ? {} : { filters }) }]
      }
      const page = isMany(joins[key]!) && random.chance(0.2) ? { start: 0, limit: 2 } : {}
      return [key, { ...below, ...page }]
    }),
  )
}

function sortKey(random: Random, name: Name): string {
  const path: string[] = []
  let at = name
  while (path.length < 2 && random.chance(0.4)) {
    const single = Object.entries(shapes[at].joins).filter(([, join]) => !isMany(join))
    if (single.length === 0) break
    const [key, { to }] = random.pick(single)
    path.push(key)
    at = to
  }
  path.push(random.pick(['id', ...Object.keys(shapes[at].scalars)]))
  return `${path.join('.')}:${random.pick(['asc', 'desc'])}`
}
