// Remembers long texts that have passed a check. Unlike a set, it does not read all of a text to hash it. Knows nothing of
// the check.

/** The number of places, and of those that one text may take. */
const placeCount = 8192
const placesOfOne = 4

/**
 * Approximate number of characters of a text that choose its places. With 17, a tenth of the texts of 2,000 files with four
 * formats found their places taken by others.
 */
const sampleCount = 32

/** The maximum number of characters of all texts, and of one of them. */
export interface TextBounds {
  readonly maxLetters: number
  readonly maxLettersOfOne: number
}

/** Texts that have passed a check. A few characters choose the places of a text, where it is compared as a whole. */
export class CheckedTexts {
  readonly #bounds: TextBounds
  readonly #texts = new Array<string | null>(placeCount).fill(null)
  /** The number of characters of all texts. */
  #letters = 0
  /** The place whose text is dropped next if there are too many characters. */
  #nextDropped = 0

  constructor(bounds: TextBounds) {
    this.#bounds = bounds
  }

  /** Returns whether a text was added and has not been dropped since. */
  has(text: string): boolean {
    const texts = this.#texts
    const first = firstPlaceOf(text)
    for (let place = first; place < first + placesOfOne; place++) if (texts[place] === text) return true
    return false
  }

  /**
   * Adds a text at its first place, unless it is too long. The texts there move on by one place, and the last one is
   * dropped. If all texts together are too long, others are dropped, wherever they are.
   */
  add(text: string): void {
    const { maxLetters, maxLettersOfOne } = this.#bounds
    if (text.length > maxLettersOfOne) return
    const texts = this.#texts
    const first = firstPlaceOf(text)
    let moved: string | null = text
    for (let place = first; place < first + placesOfOne; place++) {
      const earlier: string | null = texts[place]!
      texts[place] = moved
      moved = earlier
    }
    this.#letters += text.length - (moved?.length ?? 0)
    for (; this.#letters > maxLetters; this.#nextDropped = (this.#nextDropped + 1) % placeCount) {
      this.#letters -= texts[this.#nextDropped]?.length ?? 0
      texts[this.#nextDropped] = null
    }
  }
}

/** Returns the first place that a text may take; the others follow it. */
function firstPlaceOf(text: string): number {
  const { length } = text
  const step = Math.max(1, Math.floor(length / sampleCount))
  let hash = length
  for (let at = step - 1; at < length; at += step) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0
  return ((hash ^ (hash >>> 15)) & (placeCount / placesOfOne - 1)) * placesOfOne
}
