// The values of expressions in a project's files, as far as they can be read without running them.

import type { Callable, Node } from './tree.ts'

/** The functions of v4 from which routers, controllers and services are made. */
export type Factory = 'createCoreRouter' | 'createCoreController' | 'createCoreService'

/** The value of an expression. `isWhole` is false where more may be in it than could be read. */
export type Value =
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null | undefined }
  | { readonly kind: 'list'; readonly items: readonly Value[]; readonly isWhole: boolean }
  | ObjectValue
  | FactoryValue
  /** `file`: where its code stands. */
  | { readonly kind: 'function'; readonly node: Callable; readonly file: string }
  /** A package, or what is taken from it by names. */
  | { readonly kind: 'package'; readonly name: string; readonly path: readonly string[] }
  /** A value that only running the code could tell. */
  | { readonly kind: 'unknown'; readonly why: string; readonly node: Node | null }

export interface ObjectValue {
  readonly kind: 'object'
  readonly members: ReadonlyMap<string, Value>
  readonly isWhole: boolean
}

/** The result of a factory of v4. */
export interface FactoryValue {
  readonly kind: 'factory'
  readonly factory: Factory
  readonly args: readonly Value[]
  readonly node: Node
}

export const unknown = (why: string, node: Node | null = null): Value => ({ kind: 'unknown', why, node })

/** The text of a literal; null for anything else. */
export function textOf(value: Value | undefined): string | null {
  return value?.kind === 'literal' && typeof value.value === 'string' ? value.value : null
}

/** The texts of a list that could be read wholly; null for anything else. */
export function textsOf(value: Value | undefined): readonly string[] | null {
  if (value?.kind !== 'list' || !value.isWhole) return null
  const texts = value.items.map(textOf)
  return texts.every(one => one !== null) ? texts : null
}

/** The member of an object; undefined if it is not there or not an object. */
export function memberOf(value: Value | undefined, name: string): Value | undefined {
  return value?.kind === 'object' ? value.members.get(name) : undefined
}

/** Returns whether nothing is there: no value, undefined or null. */
export function isNothing(value: Value | undefined): boolean {
  return value === undefined || (value.kind === 'literal' && (value.value === undefined || value.value === null))
}

/** The value of what JSON.parse has returned. */
export function valueOfJson(json: unknown): Value {
  if (Array.isArray(json)) return { kind: 'list', items: json.map(valueOfJson), isWhole: true }
  if (json === null || typeof json !== 'object')
    return { kind: 'literal', value: json as string | number | boolean | null }
  const members = new Map(Object.entries(json).map(([name, value]) => [name, valueOfJson(value)]))
  return { kind: 'object', members, isWhole: true }
}
