/** Pseudo-random choices that follow from a seed. */

/** A stream of choices (mulberry32); equal seeds and numbers give equal streams. */
export class Random {
  #state: number

  constructor(seed: number, stream: number) {
    this.#state = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(stream + 1, 0xc2b2ae35)) >>> 0
    for (let i = 0; i < 4; i++) this.next()
  }

  /** A number from 0 up to, but not including, 1. */
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

  /** One item of the list. Throws an error if it is empty. */
  pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new Error('there is nothing to choose from')
    return list[this.between(0, list.length - 1)]!
  }

  /** Some items of the list, in random order. */
  some<T>(list: readonly T[], low: number, high: number): T[] {
    const left = [...list]
    const chosen: T[] = []
    const wanted = Math.min(left.length, this.between(low, high))
    while (chosen.length < wanted) chosen.push(...left.splice(this.between(0, left.length - 1), 1))
    return chosen
  }

  /** One of several, by weights. */
  weigh<T>(choices: readonly (readonly [weight: number, choice: T])[]): T {
    let left = this.next() * choices.reduce((sum, [weight]) => sum + weight, 0)
    for (const [weight, choice] of choices) {
      left -= weight
      if (left < 0) return choice
    }
    return choices.at(-1)![1]
  }
}
