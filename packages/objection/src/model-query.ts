// Adapts the queries of Objection models: attribute names are accepted in place of columns, and values are compared in
// their stored form.

import { isRecord } from '@plinth/kernel'
import type { QueryBuilder } from 'objection'
import type { ModelRows } from './model-rows.ts'

type Method = (this: unknown, ...args: unknown[]) => unknown

const conjunctions = ['', 'and', 'or'] as const
/** Returns the names of a method with each conjunction: `where`, `andWhere`, `orWhere`. */
const withConjunctions = (rest: string) =>
  conjunctions.map(one => (one === '' ? rest[0]!.toLowerCase() + rest.slice(1) : one + rest))
const tests = ['', 'Not', 'In', 'NotIn', 'Null', 'NotNull', 'Between', 'NotBetween', 'Like', 'ILike']
/** The methods that take a column and what it is compared with. */
const comparisons = [...tests, 'Ref', 'Column'].flatMap(test => withConjunctions(`Where${test}`))
/** The methods whose first argument is a column, or several. */
const ofColumn = ['orderBy', 'min', 'max', 'sum', 'avg', 'count', 'countDistinct', 'increment', 'decrement']
/** The methods all of whose arguments are columns. */
const ofColumns = ['select', 'columns', 'column', 'distinct', 'groupBy', 'returning', 'first']

/** Returns the class of Objection's queries for one type. */
export function queriesOf(Base: typeof QueryBuilder, rows: ModelRows): typeof QueryBuilder {
  const Own = class extends (Base as unknown as new (...args: never[]) => object) {}
  const methods = Base.prototype as unknown as Record<string, Method | undefined>
  const wrap = (names: readonly string[], translate: (args: unknown[], name: string) => unknown[]) => {
    for (const name of names) {
      const method = methods[name]
      if (method === undefined) continue
      const value: Method = function (...args) {
        return method.apply(this, translate(args, name))
      }
      Object.defineProperty(Own.prototype, name, { value, configurable: true, writable: true })
    }
  }
  const column = (arg: unknown): unknown => {
    if (typeof arg === 'string') return rows.column(arg)
    if (Array.isArray(arg)) return arg.map(column)
    return isRecord(arg) && 'column' in arg && isObjectLiteral(arg) ? { ...arg, column: column(arg.column) } : arg
  }
  wrap(comparisons, (args, name) => translateComparison(rows, args, /Ref$|Column$/.test(name)))
  wrap(ofColumn, ([first, ...rest]) => [column(first), ...rest])
  wrap(ofColumns, args => args.map(column))
  return Own as unknown as typeof QueryBuilder
}

/** Translates the arguments of a comparison; `isReference` says that a column is compared with another column. */
function translateComparison(rows: ModelRows, [first, ...rest]: unknown[], isReference: boolean): unknown[] {
  if (isRecord(first) && isObjectLiteral(first)) {
    const tests = Object.entries(first).map(([name, value]) => [rows.column(name), rows.operand(name, value)])
    return [Object.fromEntries(tests), ...rest]
  }
  if (typeof first !== 'string') return [first, ...rest]
  // The last argument is the value, if there is one; an operator comes before it.
  const last = rest.length - 1
  const operands = rest.map((one, i) => {
    if (i !== last) return one
    if (isReference) return typeof one === 'string' ? rows.column(one) : one
    return isPattern(rest) ? one : rows.operand(first, one)
  })
  return [rows.column(first), ...operands]
}

/** Returns whether a value is a pattern, which is text whatever the column's type is. */
function isPattern([operator]: readonly unknown[]): boolean {
  return typeof operator === 'string' && /like|^~|^!~/i.test(operator)
}

function isObjectLiteral(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype
}
