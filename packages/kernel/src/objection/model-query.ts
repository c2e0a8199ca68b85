// Adapts the queries of Objection models: attribute names are accepted in place of columns, and values are compared in
// their stored form.

import type { QueryBuilder } from 'objection'
import { isObject } from '../write/parse.ts'
import type { ModelRows } from './model-rows.ts'

type Method = (this: unknown, ...args: unknown[]) => unknown

const joined = ['', 'and', 'or'] as const
const named = (rest: string) => joined.map(one => (one === '' ? rest[0]!.toLowerCase() + rest.slice(1) : one + rest))
const tests = ['', 'Not', 'In', 'NotIn', 'Null', 'NotNull', 'Between', 'NotBetween', 'Like', 'ILike']
/** Methods that take a column and what it is compared with. */
const comparing = [...tests, 'Ref', 'Column'].flatMap(test => named(`Where${test}`))
/** Methods that take a column, or several, first. */
const naming = ['orderBy', 'min', 'max', 'sum', 'avg', 'count', 'countDistinct', 'increment', 'decrement']
/** Methods that take only columns. */
const listing = ['select', 'columns', 'column', 'distinct', 'groupBy', 'returning', 'first']

/** Objection's queries for one type. */
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
  const column = (given: unknown): unknown => {
    if (typeof given === 'string') return rows.column(given)
    if (Array.isArray(given)) return given.map(column)
    return isObject(given) && 'column' in given && isPlain(given) ? { ...given, column: column(given.column) } : given
  }
  wrap(comparing, (args, name) => compared(rows, args, /Ref$|Column$/.test(name)))
  wrap(naming, ([first, ...rest]) => [column(first), ...rest])
  wrap(listing, args => args.map(column))
  return Own as unknown as typeof QueryBuilder
}

function compared(rows: ModelRows, [first, ...rest]: unknown[], isReference: boolean): unknown[] {
  if (isObject(first) && isPlain(first)) {
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

/** Patterns are text, whatever the column's type is. */
function isPattern([operator]: readonly unknown[]): boolean {
  return typeof operator === 'string' && /like|^~|^!~/i.test(operator)
}

function isPlain(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype
}
