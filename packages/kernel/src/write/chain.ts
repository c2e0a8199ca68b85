// A list whose items are inserted beside others and removed without a search: clients choose how many there are. Knows
// nothing of relations.

/** A list of different keys. null stands for both ends. */
export class Chain<Key> {
  readonly #after = new Map<Key | null, Key | null>([[null, null]])
  readonly #before = new Map<Key | null, Key | null>([[null, null]])

  /** Repeated keys are one item. */
  constructor(keys: readonly Key[]) {
    for (const key of keys) if (!this.has(key)) this.insertBefore(key, null)
  }

  has(key: Key): boolean {
    return this.#after.has(key)
  }

  /** Inserts a key before `right`, or at the end. */
  insertBefore(key: Key, right: Key | null): void {
    this.#join(this.#before.get(right)!, key)
    this.#join(key, right)
  }

  /** Inserts a key after `left`, or at the start. */
  insertAfter(key: Key, left: Key | null): void {
    this.#join(key, this.#after.get(left)!)
    this.#join(left, key)
  }

  remove(key: Key): void {
    this.#join(this.#before.get(key)!, this.#after.get(key)!)
    this.#after.delete(key)
    this.#before.delete(key)
  }

  toArray(): Key[] {
    const keys: Key[] = []
    for (let key = this.#after.get(null)!; key !== null; key = this.#after.get(key)!) keys.push(key)
    return keys
  }

  #join(left: Key | null, right: Key | null): void {
    this.#after.set(left, right)
    this.#before.set(right, left)
  }
}
