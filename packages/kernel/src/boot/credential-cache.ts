// Caches what strategies find out about credentials, for seconds and in bounded memory, so that requests of one caller cost
// no look-up. It knows neither tokens nor users.

/** The limits of a cache of credentials, in time and in size. */
export interface CredentialBounds {
  /** Milliseconds from the beginning of a look-up. */
  readonly maxAge: number
  readonly maxEntries: number
  /** Characters of all credentials together. */
  readonly maxLength: number
}

interface Entry<Value> {
  readonly credential: string
  readonly value: Value
  /** By the monotonic clock: a change of the time of day makes nothing valid for longer. */
  readonly until: number
}

/** The number of last characters by which the map finds a credential: of a token they are a part of its signature. */
const suffix = 32

/**
 * Values by credential, such as a header or a key; the oldest are dropped first. Of credentials with the same last
 * characters, one is kept: the hash of a whole token, which is another string in each request, would cost several times
 * as much as everything else here.
 */
export class CredentialCache<Value> {
  readonly #bounds: CredentialBounds
  readonly #entries = new Map<string, Entry<Value>>()
  /** Look-ups that run, so that requests with the same credential share them. */
  readonly #lookups = new Map<string, Promise<Value | null>>()
  #length = 0
  /** The number of times that `forget` was called. */
  #generation = 0

  constructor(bounds: CredentialBounds) {
    this.#bounds = bounds
  }

  /** Returns the value; undefined if it is not there, or too old. `now` is as of `performance.now()`. */
  get(credential: string, now: number = performance.now()): Value | undefined {
    const entry = this.#entries.get(credential.slice(-suffix))
    if (entry === undefined || entry.credential !== credential) return undefined
    if (entry.until > now) return entry.value
    this.#remove(entry)
    return undefined
  }

  /**
   * Looks a credential up by `find`, and keeps the value for `maxAge` milliseconds. Requests with the same credential at
   * the same time share one look-up. Null is not kept, so that guesses do not displace credentials that are in use, nor
   * is anything that `forget` may concern. Throws what `find` throws.
   */
  lookUp(credential: string, find: () => Promise<Value | null>, maxAge?: number): Promise<Value | null> {
    const running = this.#lookups.get(credential)
    if (running !== undefined) return running
    const lookup = this.#find(credential, find, maxAge)
    this.#lookups.set(credential, lookup)
    return lookup
  }

  async #find(credential: string, find: () => Promise<Value | null>, maxAge = this.#bounds.maxAge) {
    const until = performance.now() + maxAge
    const generation = this.#generation
    // After `forget`, the result may be older than the change.
    const isCurrent = () => generation === this.#generation
    try {
      const value = await find()
      if (value !== null && isCurrent()) this.#keep({ credential, value, until })
      return value
    } finally {
      if (isCurrent()) this.#lookups.delete(credential)
    }
  }

  /** Drops the values that `isConcerned` selects, by default all of them, and what running look-ups will find. */
  forget(isConcerned: (value: Value) => boolean = () => true): void {
    this.#generation++
    this.#lookups.clear()
    for (const entry of this.#entries.values()) if (isConcerned(entry.value)) this.#remove(entry)
  }

  #keep(entry: Entry<Value>): void {
    const { maxEntries, maxLength } = this.#bounds
    const { credential } = entry
    if (credential.length > maxLength) return
    const place = credential.slice(-suffix)
    const replaced = this.#entries.get(place)
    if (replaced !== undefined) this.#remove(replaced)
    this.#entries.set(place, entry)
    this.#length += credential.length
    // The order of a Map is that of the insertions.
    for (const oldest of this.#entries.values()) {
      if (this.#entries.size <= maxEntries && this.#length <= maxLength) return
      this.#remove(oldest)
    }
  }

  #remove({ credential }: Entry<Value>): void {
    if (this.#entries.delete(credential.slice(-suffix))) this.#length -= credential.length
  }

  /** The number of values, including those that are too old and were not asked for since. */
  get size(): number {
    return this.#entries.size
  }
}
