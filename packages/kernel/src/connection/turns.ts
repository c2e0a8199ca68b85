// Orders those who wait for something, such as a connection. Callers take turns, and so do the shapes of the reads of one
// caller: a caller who sends many reads at once delays neither the first read of another one nor its own short reads. Does
// not know what they wait for.

/** One that waits. `caller` is the same object for all of one caller, and `shape` for reads that cost about the same. */
export interface Turn {
  readonly caller: object
  readonly shape: object
}

/** A queue in which callers and shapes take turns. */
export class Turns<T extends Turn> {
  /** By caller and shape: the next one is of the first shape of the first caller, which are the last ones then. */
  readonly #callers = new Map<object, Map<object, Set<T>>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  add(turn: T): void {
    const shapes = madeAt(this.#callers, turn.caller, () => new Map<object, Set<T>>())
    madeAt(shapes, turn.shape, () => new Set<T>()).add(turn)
    this.#size++
  }

  /** Returns whether it waited. */
  delete(turn: T): boolean {
    const { caller, shape } = turn
    const shapes = this.#callers.get(caller)
    const turns = shapes?.get(shape)
    if (shapes === undefined || turns?.delete(turn) !== true) return false
    if (turns.size === 0) shapes.delete(shape)
    if (shapes.size === 0) this.#callers.delete(caller)
    this.#size--
    return true
  }

  /** Removes and returns the next one; undefined if none waits. */
  take(): T | undefined {
    for (const [caller, shapes] of this.#callers)
      for (const [shape, turns] of shapes)
        for (const next of turns) {
          this.delete(next)
          moveLast(shapes, shape)
          moveLast(this.#callers, caller)
          return next
        }
    return undefined
  }

  /** Returns all that wait, as a copy: each may be deleted meanwhile. */
  all(): T[] {
    return [...this.#callers.values()].flatMap(shapes => [...shapes.values()].flatMap(turns => [...turns]))
  }
}

function madeAt<V>(map: Map<object, V>, key: object, make: () => V): V {
  let value = map.get(key)
  if (value === undefined) {
    value = make()
    map.set(key, value)
  }
  return value
}

function moveLast<V>(map: Map<object, V>, key: object): void {
  const value = map.get(key)
  if (value === undefined || map.size === 1) return
  map.delete(key)
  map.set(key, value)
}
