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
  readonly value: Value
  /** By the monotonic clock: a change of the time of day makes nothing valid for longer. */
  readonly until: number
}

/** Values by text; the oldest are forgotten first. */
export class Remembered<Value> {
  readonly #bounds: Bounds
  readonly #entries = new Map<string, Entry<Value>>()
  #length = 0

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  /** The value; undefined if it is not remembered, or no longer. */
  get(key: string): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    if (entry.until > performance.now()) return entry.value
    this.delete(key)
    return undefined
  }

  set(key: string, value: Value): void {
    const { maxAge, maxEntries, maxLength } = this.#bounds
    if (key.length > maxLength) return
    this.delete(key)
    this.#entries.set(key, { value, until: performance.now() + maxAge })
    this.#length += key.length
    // The order of a Map is that of the insertions.
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= maxEntries && this.#length <= maxLength) return
      this.delete(oldest)
    }
  }

  delete(key: string): void {
    if (this.#entries.delete(key)) this.#length -= key.length
  }

  /** Forgets the values that `isOver` selects. */
  forget(isOver: (value: Value) => boolean): void {
    for (const [key, { value }] of this.#entries) if (isOver(value)) this.delete(key)
  }

  /** How many are remembered, including those that are too old and were not asked for since. */
  get size(): number {
    return this.#entries.size
  }
}
