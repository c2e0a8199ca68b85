// The naive model of rules: every relation a filter names is a LEFT JOIN of its own, conditions follow SQL's three-valued
// logic, and a value that the caller does not have makes a comparison unknown. Shares no code with Plinth.

import { type Family, type Name, type Row, type Scalar, shapes, type World } from './world.ts'

export type Filter = { readonly [key: string]: unknown }
/** A user as rules see it. */
export type UserRow = Readonly<Record<string, unknown>> | null

type Truth = boolean | null
/** What a condition can come to, over all combinations of joined rows. */
type Outcomes = ReadonlySet<Truth>

/** Stands for a value that the caller does not have. */
const missing = Symbol('missing')

const and = (left: Truth, right: Truth): Truth => (left === false || right === false ? false : left && right)
const or = (left: Truth, right: Truth): Truth => (left === true || right === true ? true : left === null ? null : right)
const not = (truth: Truth): Truth => (truth === null ? null : !truth)

function combine(all: readonly Outcomes[], operation: (left: Truth, right: Truth) => Truth, empty: Truth): Outcomes {
  let combined: Outcomes = new Set([empty])
  for (const outcomes of all)
    combined = new Set([...combined].flatMap(left => [...outcomes].map(right => operation(left, right))))
  return combined
}

/** Whether an entry fulfils the filters of a rule for that user. */
export function fulfils(filter: Filter, row: Row, user: UserRow): boolean {
  return decide(filter, row.name, row, user).has(true)
}

function decide(filter: unknown, name: Name, row: Row | null, user: UserRow): Outcomes {
  if (Array.isArray(filter))
    return combine(
      filter.map(part => decide(part, name, row, user)),
      and,
      true,
    )
  const parts = Object.entries(filter as Filter).map(([key, condition]): Outcomes => {
    if (key === '$and') return decide(condition, name, row, user)
    if (key === '$or')
      return combine(
        (condition as unknown[]).map(part => decide(part, name, row, user)),
        or,
        false,
      )
    if (key === '$not') return new Set([...decide(condition, name, row, user)].map(not))
    const join = shapes[name].joins[key]
    if (join !== undefined) return decideJoin(condition, join.to, row?.links[key] ?? [], user)
    const family = key === 'id' ? 'integer' : shapes[name].scalars[key]!
    const value = key === 'id' ? row?.id : row?.values[key]
    return new Set([test(condition, family, value ?? null, user)])
  })
  return combine(parts, and, true)
}

const isObject = (value: unknown): value is Filter =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** Operators directly below a relation speak of the id. */
const isTest = (condition: Filter) =>
  Object.keys(condition).some(key => key.startsWith('$') && !['$and', '$or', '$not'].includes(key))

function decideJoin(condition: unknown, to: Name, linked: readonly Row[], user: UserRow): Outcomes {
  const filter = isObject(condition) && !isTest(condition) ? condition : { id: condition }
  const rows = linked.length > 0 ? linked : [null]
  return new Set(rows.flatMap(row => [...decide(filter, to, row, user)]))
}

function test(condition: unknown, family: Family, value: Scalar | null, user: UserRow): Truth {
  if (!isObject(condition)) return operate(Array.isArray(condition) ? '$in' : '$eq', condition, family, value, user)
  return Object.entries(condition)
    .map(([operator, operand]) =>
      operator === '$not' ? not(test(operand, family, value, user)) : operate(operator, operand, family, value, user),
    )
    .reduce(and, true)
}

/** The values of an operand: what `$user.<path>` stands for, or `missing`. */
function valuesOf(operand: unknown, user: UserRow): unknown[] {
  return [operand].flat().flatMap(one => {
    if (typeof one !== 'string' || !one.startsWith('$user.')) return [one]
    let found: unknown[] = [user]
    for (const step of one.split('.').slice(1))
      found = found
        .flatMap(row => (isObject(row) ? [row[step]].flat() : []))
        .filter(each => each !== null && each !== undefined)
    return found.length === 0 ? [missing] : found
  })
}

const compare = (left: Scalar, right: Scalar) =>
  typeof left === 'string'
    ? Buffer.compare(Buffer.from(left), Buffer.from(String(right)))
    : Math.sign(Number(left) - Number(right))

const tests: Readonly<Record<string, (value: Scalar, operands: Scalar[]) => boolean>> = {
  $eq: (value, [operand]) => compare(value, operand!) === 0,
  $ne: (value, [operand]) => compare(value, operand!) !== 0,
  $lt: (value, [operand]) => compare(value, operand!) < 0,
  $gte: (value, [operand]) => compare(value, operand!) >= 0,
  $between: (value, [low, high]) => compare(value, low!) >= 0 && compare(value, high!) <= 0,
  $in: (value, operands) => operands.some(one => compare(value, one) === 0),
  $notIn: (value, operands) => operands.every(one => compare(value, one) !== 0),
  $contains: (value, [operand]) => String(value).includes(String(operand)),
  $notContains: (value, [operand]) => !String(value).includes(String(operand)),
  $startsWith: (value, [operand]) => String(value).startsWith(String(operand)),
}

function operate(operator: string, operand: unknown, _: Family, value: Scalar | null, user: UserRow): Truth {
  if (operator === '$null') return (value === null) === operand
  if (operator === '$notNull') return (value !== null) === operand
  if (operand === null) return (operator === '$eq') === (value === null)
  const operands = valuesOf(operand, user)
  if (operands.includes(missing) || value === null) return null
  return tests[operator]!(value, operands as Scalar[])
}

/** The entries that fulfil one of several rules; all of them if there is none. */
export function visible(world: World, name: Name, wheres: readonly Filter[], user: UserRow): Set<number> {
  const rows = [...world[name].values()]
  const found = wheres.length === 0 ? rows : rows.filter(row => wheres.some(where => fulfils(where, row, user)))
  return new Set(found.map(row => row.id))
}
