// Long texts take milliseconds to parse, so they are parsed one after the other, and beside other requests.

import { setImmediate as others, setTimeout as sleep } from 'node:timers/promises'

/** A text that was parsed faster, in milliseconds, is followed by the next one at once. */
const leastPause = 0.5

/** The long texts of a transport take a third of its time at most: after each there is a pause twice as long as it took. */
export class LongTexts {
  #last: Promise<void> = Promise.resolve()
  /** Milliseconds since the last pause. */
  #spent = 0

  /** Resolves when the next text may be parsed. */
  awaitTurn(): Promise<void> {
    const turn = this.#last.then(() => this.#pause())
    this.#last = turn
    return turn
  }

  async #pause(): Promise<void> {
    // The text before is parsed in this turn of the event loop.
    await others()
    const spent = this.#spent
    this.#spent = 0
    if (spent >= leastPause) await sleep(2 * spent)
  }

  /** Runs what parses a text, and counts the time. */
  measure<T>(parse: () => T): T {
    const began = performance.now()
    try {
      return parse()
    } finally {
      this.#spent += performance.now() - began
    }
  }
}
