// Repeatable random choices: a seeded generator (mulberry32) and the functions that the seed needs.

/** Choices that depend only on the seed and on their order. */
export interface Random {
  /** A whole number, both limits included. */
  between(low: number, high: number): number
  chance(probability: number): boolean
  pick<T>(from: readonly T[]): T
  shuffled<T>(from: readonly T[]): T[]
}

/** A generator for one seed. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  return {
    between,
    chance: probability => next() < probability,
    pick: from => from[between(0, from.length - 1)]!,
    shuffled(from) {
      const cards = [...from]
      for (let last = cards.length - 1; last > 0; last--) {
        const other = between(0, last)
        ;[cards[last], cards[other]] = [cards[other]!, cards[last]!]
      }
      return cards
    },
  }
}

/**
 * Returns the items in random order and starts again when all were returned, so that each is used before any is
 * repeated.
 */
export function createDeck<T>(cards: readonly T[], random: Random): (count: number) => T[] {
  let rest: T[] = []
  return count => {
    const hand: T[] = []
    while (hand.length < Math.min(count, cards.length)) {
      if (rest.length === 0) rest = random.shuffled(cards)
      const card = rest.shift()!
      if (!hand.includes(card)) hand.push(card)
    }
    return hand
  }
}
