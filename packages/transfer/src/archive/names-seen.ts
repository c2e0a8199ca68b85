// Remembers the names of the files of an archive in few bytes each, to tell those that come twice. Knows nothing of archives.

import { createHash } from 'node:crypto'

/** A set of names. */
export class NamesSeen {
  readonly #isCaseSensitive: boolean
  // Digests of 8 bytes, in open addressing; 0 is a free place. A Set of texts would take ten times as much.
  #places = new BigUint64Array(1024)
  #count = 0

  /** If case does not count, names that differ only in it, or in the form of accents, are the same: some file systems say so. */
  constructor({ isCaseSensitive }: { readonly isCaseSensitive: boolean }) {
    this.#isCaseSensitive = isCaseSensitive
  }

  /** Adds a name. Returns false if it is there already. */
  add(name: string): boolean {
    const text = this.#isCaseSensitive ? name : name.normalize('NFC').toLowerCase()
    const key = createHash('sha1').update(text).digest().readBigUInt64LE() || 1n
    const place = placeOf(this.#places, key)
    if (this.#places[place] === key) return false
    this.#places[place] = key
    if (++this.#count * 2 > this.#places.length) this.#grow()
    return true
  }

  #grow(): void {
    const larger = new BigUint64Array(this.#places.length * 2)
    for (const key of this.#places) if (key !== 0n) larger[placeOf(larger, key)] = key
    this.#places = larger
  }
}

/** Returns the place of a key, or the one where it would be; there is always a free place. */
function placeOf(places: BigUint64Array, key: bigint): number {
  let place = Number(key % BigInt(places.length))
  while (places[place] !== 0n && places[place] !== key) place = (place + 1) % places.length
  return place
}
