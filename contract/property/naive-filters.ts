/**
 * The naive model of filters, which implements nothing but the rules B-2.90 to B-2.134: every relation or component in
 * a filter is a LEFT JOIN of its own, conditions follow SQL's three-valued logic, and an entry is found if some
 * combination of joined rows makes the whole filter true. It is slow on purpose and shares no code with Plinth.
 */

import { type Family, type Row, type Scalar, type Shape, type ShapeName, shapes } from './model.ts'
import { compare, isSame } from './values.ts'

export type Filter = { readonly [key: string]: unknown }

type Truth = boolean | null
/** The possible results of a condition over all combinations of joined rows. */
type Outcomes = ReadonlySet<Truth>

const and = (left: Truth, right: Truth): Truth => (left === false || right === false ? false : left && right)
const or = (left: Truth, right: Truth): Truth => (left === true || right === true ? true : left === null ? null : right)
const not = (truth: Truth): Truth => (truth === null ? null : !truth)

/** Joins of different conditions are independent, so every pair of their results occurs. */
function combine(all: readonly Outcomes[], operation: (left: Truth, right: Truth) => Truth, empty: Truth): Outcomes {
  let combined: Outcomes = new Set([empty])
  for (const outcomes of all) {
    combined = new Set(Array.from(combined).flatMap(left => Array.from(outcomes, right => operation(left, right))))
  }
  return combined
}
const every = (all: readonly Outcomes[]) => combine(all, and, true)
const some = (all: readonly Outcomes[]) => combine(all, or, false)
const negate = (outcomes: Outcomes): Outcomes => new Set([...outcomes].map(not))

/** Whether the filter finds this entry. */
export const finds = (filter: Filter, shape: ShapeName, row: Row) => decide(filter, shapes[shape], row).has(true)

/** A null row is the row that a LEFT JOIN adds if nothing is linked: all its columns are null. */
function decide(filter: unknown, shape: Shape, row: Row | null): Outcomes {
  if (Array.isArray(filter)) return every(filter.map(part => decide(part, shape, row)))
  return every(
    Object.entries(filter as Filter).map(([key, condition]) => {
      if (key === '$and') return every((condition as unknown[]).map(part => decide(part, shape, row)))
      if (key === '$or') return some((condition as unknown[]).map(part => decide(part, shape, row)))
      if (key === '$not') return negate(decide(condition, shape, row))
      const join = shape.joins[key]
      if (join !== undefined) return decideJoin(condition, shapes[join.to], row?.links[key] ?? [])
      const family = key === 'id' ? 'integer' : shape.scalars[key]
      if (family === undefined) throw new Error(`the model has no attribute ${key}`)
      const value = key === 'id' ? row?.id : row?.values[key]
      return new Set([test(condition, family, value ?? null)])
    }),
  )
}

const logic = ['$and', '$or', '$not']
const isObject = (value: unknown): value is Filter =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
/** `{ $in: […] }` and the like, which on a relation apply to the id. */
const isTest = (condition: Filter) => Object.keys(condition).some(key => key.startsWith('$') && !logic.includes(key))

function decideJoin(condition: unknown, shape: Shape, linked: readonly Row[]): Outcomes {
  const filter = isObject(condition) && !isTest(condition) ? condition : { id: condition }
  const rows = linked.length > 0 ? linked : [null]
  return new Set(rows.flatMap(row => [...decide(filter, shape, row)]))
}

/** A condition on one value: an object of operators, or the operand of an implicit operator. */
function test(condition: unknown, family: Family, value: Scalar | null): Truth {
  if (Array.isArray(condition)) return operate('$in', condition, family, value)
  if (!isObject(condition)) return operate('$eq', condition, family, value)
  return Object.entries(condition)
    .map(([operator, operand]) =>
      operator === '$not' ? not(test(operand, family, value)) : operate(operator, operand, family, value),
    )
    .reduce(and, true)
}

const takesList = ['$in', '$notIn', '$between']
const tests: Readonly<Record<string, (order: number) => boolean>> = {
  $lt: order => order < 0,
  $lte: order => order <= 0,
  $gt: order => order > 0,
  $gte: order => order >= 0,
}
const textTests: Readonly<Record<string, (value: string, operand: string) => boolean>> = {
  $eqi: (value, operand) => value === operand,
  $contains: (value, operand) => value.includes(operand),
  $startsWith: (value, operand) => value.startsWith(operand),
  $endsWith: (value, operand) => value.endsWith(operand),
}
/** Negations by name; a name that ends in `i` ignores case. */
const opposites: Readonly<Record<string, string>> = {
  $nei: '$eqi',
  $notContains: '$contains',
  $notContainsi: '$containsi',
}

function operate(operator: string, operand: unknown, family: Family, value: Scalar | null): Truth {
  if (operator === '$null') return (value === null) === operand
  if (operator === '$notNull') return (value !== null) === operand
  if (operand === null) return operator === '$ne' ? value !== null : value === null
  // A list for an operator that takes one value means any of its items.
  if (Array.isArray(operand) && !takesList.includes(operator)) {
    return operand.map(each => operate(operator, each, family, value)).reduce(or, false)
  }
  const list = (Array.isArray(operand) ? operand : [operand]) as Scalar[]
  // An empty list is decided before the value is read.
  if (list.length === 0) return operator === '$notIn'
  if (value === null) return null
  const [first, last] = [list[0]!, list.at(-1)!]
  if (operator === '$eq' || operator === '$in') return list.some(each => isSame(family, value, each))
  if (operator === '$ne' || operator === '$notIn') return !list.some(each => isSame(family, value, each))
  if (operator === '$between') return compare(family, value, first) >= 0 && compare(family, value, last) <= 0
  const ordered = tests[operator]
  return ordered ? ordered(compare(family, value, first)) : operateOnText(operator, String(value), String(first))
}

function operateOnText(operator: string, value: string, operand: string): boolean {
  const opposite = opposites[operator]
  if (opposite !== undefined) return !operateOnText(opposite, value, operand)
  const exact = textTests[operator]
  if (exact !== undefined && operator !== '$eqi') return exact(value, operand)
  const folded = textTests[operator] ?? textTests[operator.slice(0, -1)]
  if (folded === undefined) throw new Error(`the model has no operator ${operator}`)
  return folded(value.toLowerCase(), operand.toLowerCase())
}
