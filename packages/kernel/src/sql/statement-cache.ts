// The statements that callers' choices make: which attributes they send, which fields they want back, how many links. Bounded,
// since there is no end of them. Must not know what the statements say.

/** What a part of a statement depends on. */
export type StatementKey = object | string | number

/** A place in the cache: the statement for the keys that lead to it, and places for one more key. */
export interface CachedStatement {
  /** Null where it was not compiled so far. */
  text: string | null
  readonly next: Map<StatementKey, CachedStatement>
}

/** Most bytes of statements that are kept, about. */
const maxBytes = 16 * 1024 * 1024
/** What a place holds beside its text: a map, and its place in one. */
const perPlace = 1000

/** Statements by what they are compiled from, one key after the other: no key is put together to look for one. */
export class StatementCache {
  readonly #roots = new Map<StatementKey, CachedStatement>()
  #bytes = 0

  /** The place of all that is compiled from `root`. It must be asked for each time: a full cache drops its places. */
  at(root: object): CachedStatement {
    return this.#roots.get(root) ?? this.#add(this.#roots, root)
  }

  /** The place one key further. */
  next(place: CachedStatement, key: StatementKey): CachedStatement {
    return place.next.get(key) ?? this.#add(place.next, key)
  }

  /** Keeps a statement, and gives it. */
  keep(place: CachedStatement, text: string): string {
    place.text = text
    this.#count(text.length)
    return text
  }

  #add(places: Map<StatementKey, CachedStatement>, key: StatementKey): CachedStatement {
    this.#count(typeof key === 'string' ? key.length : 0)
    const made: CachedStatement = { text: null, next: new Map() }
    places.set(key, made)
    return made
  }

  #count(characters: number): void {
    this.#bytes += perPlace + 2 * characters
    if (this.#bytes <= maxBytes) return
    this.#roots.clear()
    this.#bytes = 0
  }
}
