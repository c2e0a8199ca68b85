// The prepared statements of one connection, by their texts. Knows neither how they are prepared nor how they run.

import type { PreparedText } from './prepared.ts'

/** The maximum number of statements, and of characters of their texts. */
export interface PreparedBounds {
  readonly maxStatements: number
  readonly maxLetters: number
}

interface Place {
  readonly prepared: PreparedText
  /** It was used since it was prepared or last passed over. */
  isUsed: boolean
}

/**
 * Prepared statements. If there are too many, the oldest is dropped; one that was used in the meantime is passed over
 * once, and is then the youngest. To put each statement at the end when it is used would cost more than finding it.
 */
export class PreparedTexts {
  readonly #bounds: PreparedBounds
  readonly #places = new Map<string, Place>()
  #letters = 0

  constructor(bounds: PreparedBounds) {
    this.#bounds = bounds
  }

  get(text: string): PreparedText | undefined {
    const place = this.#places.get(text)
    if (place === undefined) return undefined
    place.isUsed = true
    return place.prepared
  }

  /** Adds the statement of a text that is not there. */
  add(text: string, prepared: PreparedText): void {
    const { maxStatements, maxLetters } = this.#bounds
    this.#letters += text.length
    while (this.#places.size > 0 && (this.#places.size >= maxStatements || this.#letters > maxLetters)) this.#dropOne()
    this.#places.set(text, { prepared, isUsed: false })
  }

  #dropOne(): void {
    for (const [text, place] of this.#places) {
      this.#places.delete(text)
      if (!place.isUsed) {
        this.#letters -= text.length
        return
      }
      place.isUsed = false
      this.#places.set(text, place)
    }
  }
}
