// Pseudo-random choices that follow from a seed (mulberry32).

/** A stream of choices; the same seed gives the same stream. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = (Math.imul(seed + 1, 0x9e3779b9) ^ 0x85ebca6b) >>> 0
    for (let i = 0; i < 4; i++) this.next()
  }

  /** At least 0, less than 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let t = this.#state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }

  /** An integer from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1))
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(list: readonly T[]): T {
    return list[this.between(0, list.length - 1)]!
  }

  /** Between `low` and `high` of the list, in random order. */
  some<T>(list: readonly T[], low: number, high: number): T[] {
    const left = [...list]
    const wanted = Math.min(left.length, this.between(low, high))
    return Array.from({ length: wanted }, () => left.splice(this.between(0, left.length - 1), 1)[0]!)
  }

  /** One of several functions, by weights. */
  weigh<T>(...choices: readonly (readonly [weight: number, make: () => T])[]): T {
    let left = this.next() * choices.reduce((sum, [weight]) => sum + weight, 0)
    for (const [weight, make] of choices) {
      left -= weight
      if (left < 0) return make()
    }
    return choices.at(-1)![1]()
  }
}
