// Caches values by texts, within limits. Packages of databases use it as well. The library is part of the kernel's package,
// and its types are not: no exported name has them.

import { LRUCache } from '#lru-cache'

/** The limits of a cache; beyond them, the entries that were used least recently are dropped. */
export interface TextCacheLimits<Value> {
  /** The maximum number of entries. */
  readonly max: number
  /** The largest sum of the sizes of all entries. */
  readonly maxSize?: number
  /** The size of an entry, at least 1. */
  readonly sizeCalculation?: (value: Value, text: string) => number
  /** Milliseconds after which an entry is dropped; without it, entries stay. */
  readonly ttl?: number
}

/**
 * A cache whose keys are texts. It takes no memory before its first entry: the library reserves the places of all entries
 * at once, and a kernel has many caches of which most applications use few.
 */
export class TextCache<Value extends {}> {
  /** @internal */
  readonly limits: TextCacheLimits<Value>
  #entries: LRUCache<string, Value> | null = null

  constructor(limits: TextCacheLimits<Value>) {
    this.limits = limits
  }

  get size(): number {
    return this.#entries === null ? 0 : this.#entries.size
  }

  get(text: string): Value | undefined {
    return this.#entries === null ? undefined : this.#entries.get(text)
  }

  set(text: string, value: Value): void {
    this.#entries ??= new LRUCache<string, Value>(this.limits)
    this.#entries.set(text, value)
  }

  delete(text: string): boolean {
    return this.#entries?.delete(text) ?? false
  }

  /** @internal The entries, the one that was used last first; for tests. */
  entries(): Iterable<[string, Value]> {
    return this.#entries?.entries() ?? []
  }

  /** @internal For tests. */
  clear(): void {
    this.#entries = null
  }
}
