// Caches what packages of databases know of statements, by their texts. The library is part of the kernel's package, and
// its types are not: no exported name has them.

import { LRUCache } from '#lru-cache'

/** The limits of a cache; beyond them, the entries that were used least recently are dropped. */
export interface TextCacheLimits<Value> {
  /** The maximum number of entries. */
  readonly max: number
  /** The largest sum of the sizes of all entries. */
  readonly maxSize: number
  /** The size of an entry, at least 1. */
  readonly sizeCalculation: (value: Value, text: string) => number
  /** Milliseconds after which an entry is dropped; without it, entries stay. */
  readonly ttl?: number
}

/** A cache whose keys are texts. */
export interface TextCache<Value> {
  readonly size: number
  get(text: string): Value | undefined
  set(text: string, value: Value): unknown
  delete(text: string): boolean
}

/** Creates a cache. */
export function createTextCache<Value extends {}>(limits: TextCacheLimits<Value>): TextCache<Value> {
  return new LRUCache<string, Value>(limits)
}
