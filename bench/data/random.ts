// Repeatable pseudo-random numbers and texts: the same seed gives the same data on every machine.

const WORDS = (
  'river stone window morning paper city garden winter quiet engine letter market signal harbor copper silver mountain ' +
  'bridge table candle story teacher music forest train island number question answer bread water light shadow corner ' +
  'street winter summer field glass camera painter doctor farmer sailor novel essay review chapter page author reader'
).split(' ')
export const FIRST_NAMES =
  'Ada Ben Cleo Dan Eva Finn Gia Hugo Ines Jack Kara Liam Mia Noah Olga Paul Quinn Rosa Sam Tara'.split(' ')
export const LAST_NAMES = 'Abbot Baker Carver Dyer Eaton Fuller Gray Harper Irving Jones'.split(' ')

/** The mulberry32 generator: 32 bits of state are plenty for sample texts. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  /** A number from 0 up to 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** An integer from 0 up to `bound`. */
  below(bound: number): number {
    return Math.floor(this.next() * bound)
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)]!
  }

  word(): string {
    return this.pick(WORDS)
  }

  /** Words that begin with a capital. */
  phrase(count: number): string {
    return capitalize(Array.from({ length: count }, () => this.word()).join(' '))
  }

  /** Sentences, cut to a length. */
  text(length: number): string {
    let text = ''
    while (text.length < length) text += `${this.phrase(6 + this.below(8))}. `
    return `${text.slice(0, length - 1).trimEnd()}.`
  }
}

export const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** The word at a position of the list, modulo its length. */
export const wordAt = (place: number) => WORDS[place % WORDS.length]!

export const slugOf = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
