// Caches statements whose text depends on the request: which attributes are sent, which fields are returned, how many
// links. It is bounded, since the number of combinations is not. Independent of the content of statements.

/** Something that the text of a statement depends on. */
export type StatementKey = object | string | number

/** A node of the cache: the statement for the keys on the path to it, and the nodes for one more key. */
export interface CachedStatement {
  /** Null if it is not compiled yet. */
  text: string | null
  readonly next: Map<StatementKey, CachedStatement>
}

/** Approximate maximum size of the kept statements, in bytes. */
const maxBytes = 16 * 1024 * 1024
/** Bytes of a node without its text: a map, and its entry in one. */
const perPlace = 1000

/** Finds statements by what they are compiled from, one key after the other, so that no combined key is built. */
export class StatementCache {
  readonly #roots = new Map<StatementKey, CachedStatement>()
  #bytes = 0

  /** The node of everything that is compiled from `root`. Call it each time: a full cache drops its nodes. */
  at(root: object): CachedStatement {
    return this.#roots.get(root) ?? this.#add(this.#roots, root)
  }

  /** The node for one more key. */
  next(place: CachedStatement, key: StatementKey): CachedStatement {
    return place.next.get(key) ?? this.#add(place.next, key)
  }

  /** Stores a statement, and returns it. */
  keep(place: CachedStatement, text: string): string {
    place.text = text
    this.#count(text.length)
    return text
  }

  #add(places: Map<StatementKey, CachedStatement>, key: StatementKey): CachedStatement {
    this.#count(typeof key === 'string' ? key.length : 0)
    const statement: CachedStatement = { text: null, next: new Map() }
    places.set(key, statement)
    return statement
  }

  #count(characters: number): void {
    this.#bytes += perPlace + 2 * characters
    if (this.#bytes <= maxBytes) return
    this.#roots.clear()
    this.#bytes = 0
  }
}
