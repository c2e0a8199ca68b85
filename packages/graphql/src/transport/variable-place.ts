// The places in the variables of operations at which files are put, by paths such as `variables.files.0`. A place that is
// missing is made, as v4 does. Knows no files.

import { isRecord } from '@plinth/kernel'

/** Maximum number of keys in a path: JSON may be as deep. */
const maxDepth = 64

/** A list that is made has at most as many items as a request has parts. */
const maxItems = 1000

/** Names of members that every object inherits (security.md row 25). */
const inherited = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * Returns a function that puts a value at `path`, which must be in the variables of an operation. Where the operation
 * has null or nothing, makes a place, which contains null until it is filled. Returns null if there is another value,
 * if such a place is not possible, or if the query does not name the variable: a file in it would be lost.
 */
export function placeAt(operations: object, path: string): ((value: object) => void) | null {
  const keys = path.split('.')
  if (keys.length > maxDepth || keys.some(key => inherited.has(key) || key === '')) return null
  const operation = Array.isArray(operations) ? memberOf(operations, keys.shift()!) : operations
  if (keys.shift() !== 'variables' || keys.length === 0 || !isRecord(operation)) return null
  if (!isNamedIn(operation, keys[0]!)) return null
  // An operation without variables has none, whether it says so or not.
  operation.variables ??= {}
  let at: unknown = operation.variables
  const last = keys.pop()!
  for (const [i, key] of keys.entries()) {
    if (!isPlace(at, key)) return null
    if (memberOf(at, key) === undefined) setMember(at, key, isIndex(keys[i + 1] ?? last) ? [] : {})
    at = memberOf(at, key)
  }
  if (!isPlace(at, last)) return null
  const parent = at
  if ((memberOf(parent, last) ?? null) !== null) return null
  setMember(parent, last, null)
  return value => setMember(parent, last, value)
}

/** Returns whether an operation may have the variable. The query of a hash is not known here. */
function isNamedIn({ query, variables }: Record<string, unknown>, name: string): boolean {
  if (typeof query !== 'string' || (isRecord(variables) && Object.hasOwn(variables, name))) return true
  return /^[_A-Za-z]\w*$/.test(name) && new RegExp(`\\$[\\s,]*${name}\\b`).test(query)
}

type Container = Record<string, unknown> | unknown[]

const isIndex = (key: string) => /^(0|[1-9]\d{0,3})$/.test(key) && Number(key) < maxItems

/** Returns whether a value can have a member of this name: a list has items only. */
function isPlace(value: unknown, key: string): value is Container {
  return Array.isArray(value) ? isIndex(key) : isRecord(value)
}

/** Returns undefined if there is no such member; inherited members do not count. */
function memberOf(container: Container, key: string): unknown {
  return Object.hasOwn(container, key) ? (container as Record<string, unknown>)[key] : undefined
}

/** Items that a list lacks before the new one are null. */
function setMember(container: Container, key: string, value: unknown): void {
  if (Array.isArray(container)) while (container.length < Number(key)) container.push(null)
  ;(container as Record<string, unknown>)[key] = value
}
