// Makes what resolvers of own fields return the JSON text of an answer, as execution does: promises are awaited, also in
// lists, and the type of the field serializes. It knows no entry. An error is only noticed here: execution, which receives
// the same value, gives it a message and a path.

import { inspect } from 'node:util'
import { type GraphQLLeafType, type GraphQLOutputType, isListType, isNonNullType } from 'graphql'
import { NeedsExecution } from './needs-execution.ts'

/**
 * Returns what a resolver has returned in a form that can be read twice, as some iterables and some things that can be
 * awaited cannot. An Error stands for one that is thrown, as it does for graphql-js.
 */
export function readable(type: GraphQLOutputType, get: () => unknown): unknown {
  try {
    const value = get()
    if (isPromise(value)) return Promise.resolve(value).then(one => readable(type, () => one), asError)
    const item = itemTypeOf(type)
    return item === null || !isIterable(value) ? value : Array.from(value, one => readable(item, () => one))
  } catch (error) {
    return asError(error)
  }
}

/** Returns a readable value without promises, also in lists; a promise of it if it has some. */
export function settle(type: GraphQLOutputType, value: unknown): unknown {
  if (isPromise(value)) return value.then(one => settle(type, one))
  const item = itemTypeOf(type)
  if (item === null || !Array.isArray(value)) return value
  const items = value.map(one => settle(item, one))
  return items.some(isPromise) ? Promise.all(items) : items
}

function itemTypeOf(type: GraphQLOutputType): GraphQLOutputType | null {
  if (isNonNullType(type)) return itemTypeOf(type.ofType)
  return isListType(type) ? type.ofType : null
}

/** A value that cannot be in an answer although its type serializes it, so that execution would not notice. */
export class UnwritableValue extends TypeError {}

/** Returns the JSON text of a settled value. Throws if it is an error: UnwritableValue, NeedsExecution and what scalars throw. */
export function ownText(type: GraphQLOutputType, value: unknown): string {
  if (value instanceof Error) throw value
  if (isNonNullType(type)) {
    if (value === null || value === undefined) throw new NeedsExecution()
    return ownText(type.ofType, value)
  }
  if (value === null || value === undefined) return 'null'
  if (!isListType(type)) return leafText(type as GraphQLLeafType, value)
  if (!Array.isArray(value)) throw new NeedsExecution()
  return `[${value.map(one => ownText(type.ofType, one)).join(',')}]`
}

function leafText(type: GraphQLLeafType, value: unknown): string {
  const serialized = type.serialize(value)
  if (serialized === null || serialized === undefined) throw new NeedsExecution()
  let hasPromise = false
  let text: string | undefined
  try {
    text =
      typeof serialized === 'object'
        ? JSON.stringify(serialized, (_key, member) => {
            if (!isPromise(member)) return member
            hasPromise = true
            // Nobody else waits for it, and its rejection would end the process.
            Promise.resolve(member).catch(() => undefined)
            return null
          })
        : JSON.stringify(serialized)
  } catch (error) {
    throw new UnwritableValue(`a value of the type ${type.name} cannot be JSON`, { cause: error })
  }
  if (text === undefined) throw new UnwritableValue(`a value of the type ${type.name} is a ${typeof serialized}`)
  if (hasPromise) throw new UnwritableValue(`a value of the type ${type.name} contains a promise`)
  return text
}

/** Recognizes promises as graphql-js does. Throws what a getter throws. */
export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { readonly then?: unknown } | null | undefined)?.then === 'function'
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(`Unexpected error value: ${inspect(error)}`)
}
