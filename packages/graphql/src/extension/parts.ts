// Runs the extensions that were registered, and merges what they consist of (B-9.96): lists are joined, resolvers and
// their settings are merged by type and field, and the last one wins. It does not look at the schema.

import { isPlainRecord } from '@plinth/kernel'
import type { Extension, ExtensionSource, ExtensionTools, ResolverConfig } from './extension.ts'

/** Resolvers by type and field; those of scalars, enumerations and unions are not functions. */
export type ResolverMap = Readonly<Record<string, unknown>>

/** The additions of all extensions together. */
export interface ExtensionParts {
  readonly types: readonly unknown[]
  readonly typeDefs: readonly string[]
  readonly plugins: readonly unknown[]
  readonly resolvers: ResolverMap
  readonly resolversConfig: Readonly<Record<string, ResolverConfig>>
  readonly args: NonNullable<Extension['args']>
}

/** Makes all extensions, in the order of their registration. Throws what their functions throw. */
export function collectParts(sources: readonly ExtensionSource[], tools: ExtensionTools): ExtensionParts {
  const extensions: readonly Extension[] = sources.map(source => source(tools) ?? {})
  return {
    types: extensions.flatMap(one => flat(one.types)),
    typeDefs: extensions.flatMap(one => (one.typeDefs === undefined ? [] : (flat(one.typeDefs) as string[]))),
    plugins: extensions.flatMap(one => flat(one.plugins)),
    resolvers: extensions.reduce<ResolverMap>((all, one) => mergeDeep(all, one.resolvers ?? {}), {}),
    resolversConfig: extensions.reduce<Readonly<Record<string, ResolverConfig>>>(
      (all, one) => mergeDeep(all, one.resolversConfig ?? {}),
      {},
    ),
    args: extensions.reduce<NonNullable<Extension['args']>>((all, one) => mergeDeep(all, one.args ?? {}), {}),
  }
}

/** v4 also takes one type, and lists in lists. */
function flat(value: unknown): unknown[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value.flat(Number.POSITIVE_INFINITY) : [value]
}

/** Merges plain objects at all levels; other values, among them lists, replace each other. */
export function mergeDeep<T extends object>(first: T, second: object): T {
  const merged: Record<string, unknown> = Object.fromEntries(Object.entries(first))
  for (const [key, value] of Object.entries(second)) {
    const current = merged[key]
    merged[key] =
      isPlainRecord(current) && isPlainRecord(value) ? mergeDeep<Record<string, unknown>>(current, value) : value
  }
  return merged as T
}
