// The sorting and the filters of a list, for observers: names of attributes, and no values. Made of a plan; runs nothing.

import type { ContentType, Uid } from '../model/content-type.ts'
import type { Comparison } from '../query/operators.ts'
import type { Order, Plan, Test } from './plan.ts'

/** A sort key of a list. */
export interface SortedBy {
  /** The attribute, or the attributes from the list's type to it: `['author', 'name']`. */
  readonly path: readonly string[]
  readonly isDescending: boolean
}

/** An attribute with which all entries of a list are compared. */
export interface FilteredBy {
  /** The attribute, or the attributes from the list's type to it. */
  readonly path: readonly string[]
  /** The content type or component that has the attribute. */
  readonly uid: Uid
  /** `equal`: with one value or several. `range`: with a least or greatest value. `other`: in a way that no index serves. */
  readonly comparison: 'equal' | 'range' | 'other'
}

/** The sorting and the filters of a list, without the rules of plugins. */
export interface ListSearch {
  readonly type: ContentType
  readonly sort: readonly SortedBy[]
  readonly filters: readonly FilteredBy[]
  /** True if it also searches texts, or has alternatives and negations, which are not among the filters. */
  readonly hasOtherConditions: boolean
}

const comparisons: Partial<Readonly<Record<Comparison, FilteredBy['comparison']>>> = {
  eq: 'equal',
  in: 'equal',
  gt: 'range',
  gte: 'range',
  lt: 'range',
  lte: 'range',
  between: 'range',
}

/** Returns what the list of a plan sorts and filters by. */
export function searchOf({ root }: Plan): ListSearch {
  const filters: FilteredBy[] = []
  const isWhole = root.where === null || collect(root.where, { uid: root.type.uid, path: [], filters })
  return { type: root.type, sort: root.order.map(sortOf), filters, hasOtherConditions: !isWhole }
}

function sortOf({ steps, column, descending }: Order): SortedBy {
  return { path: [...steps.map(({ step }) => step.attribute.name), column.name], isDescending: descending }
}

/** The place of a test, and the list to which its filters are added. */
interface Place {
  readonly uid: Uid
  readonly path: readonly string[]
  readonly filters: FilteredBy[]
}

/** Adds the comparisons that all entries fulfil. Returns false if there are other conditions. */
function collect(test: Test, place: Place): boolean {
  const add = (name: string, comparison: FilteredBy['comparison']) => {
    place.filters.push({ path: [...place.path, name], uid: place.uid, comparison })
    return true
  }
  switch (test.op) {
    case 'and':
      return test.of.map(one => collect(one, place)).every(Boolean)
    case 'compare':
      return add(test.column.name, comparisons[test.comparison] ?? 'other')
    case 'null':
      return add(test.column.name, test.isNull ? 'equal' : 'other')
    case 'custom':
      return add(test.column.name, 'other')
    case 'linked': {
      const { step, where, orMissing } = test
      if (where === null || orMissing) return false
      return collect(where, { ...place, uid: step.to.uid, path: [...place.path, step.attribute.name] })
    }
    case 'rule':
    case 'given':
    case 'constant':
      return true
    case 'or':
    case 'not':
      return false
  }
}
