// Remembers what headers turned out to be, for some seconds, in bounded memory. It knows neither tokens nor users.

/** How much is remembered, and for how long. */
export interface Bounds {
  /** Milliseconds. */
  readonly maxAge: number
  readonly maxEntries: number
  /** Characters of all keys together. */
  readonly maxLength: number
}

interface Entry<Value> {
  readonly key: string
  readonly value: Value
  /** By the monotonic clock: a change of the time of day makes nothing valid for longer. */
  readonly until: number
}

/** The number of last characters by which the map finds a key: of a token they are a part of its signature. */
const suffix = 32

/**
 * Values by text; the oldest are forgotten first. Of keys with the same last characters, one is remembered: the hash of a
 * whole token, which is another string in each request, would cost several times as much as everything else here.
 */
export class Remembered<Value> {
  readonly #bounds: Bounds
  readonly #entries = new Map<string, Entry<Value>>()
  #length = 0

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  /** The value; undefined if it is not remembered, or no longer. `now` is as of `performance.now()`. */
  get(key: string, now: number = performance.now()): Value | undefined {
    const entry = this.#entries.get(key.slice(-suffix))
    if (entry === undefined || entry.key !== key) return undefined
    if (entry.until > now) return entry.value
    this.#remove(entry)
    return undefined
  }

  /** Remembers a value for `maxAge` milliseconds. */
  set(key: string, value: Value, maxAge: number = this.#bounds.maxAge): void {
    const { maxEntries, maxLength } = this.#bounds
    if (key.length > maxLength) return
    const place = key.slice(-suffix)
    const before = this.#entries.get(place)
    if (before !== undefined) this.#remove(before)
    this.#entries.set(place, { key, value, until: performance.now() + maxAge })
    this.#length += key.length
    // The order of a Map is that of the insertions.
    for (const oldest of this.#entries.values()) {
      if (this.#entries.size <= maxEntries && this.#length <= maxLength) return
      this.#remove(oldest)
    }
  }

  delete(key: string): void {
    const entry = this.#entries.get(key.slice(-suffix))
    if (entry?.key === key) this.#remove(entry)
  }

  /** Forgets the values that `isOver` selects. */
  forget(isOver: (value: Value) => boolean): void {
    for (const entry of this.#entries.values()) if (isOver(entry.value)) this.#remove(entry)
  }

  #remove({ key }: Entry<Value>): void {
    if (this.#entries.delete(key.slice(-suffix))) this.#length -= key.length
  }

  /** How many are remembered, including those that are too old and were not asked for since. */
  get size(): number {
    return this.#entries.size
  }
}
