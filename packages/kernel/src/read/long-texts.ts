// Delays the parsing of long texts. Each takes milliseconds, so they are parsed one after the other, with pauses in
// which the event loop serves other requests.

import { setImmediate as others, setTimeout as sleep } from 'node:timers/promises'

/** The next text follows without a pause if less time than this was spent, in milliseconds. */
const leastPause = 0.5

/** Limits the long texts of a transport to a third of its time: the pause after each is twice as long as it took. */
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
    // The previous text is parsed in this turn of the event loop.
    await others()
    const spent = this.#spent
    this.#spent = 0
    if (spent >= leastPause) await sleep(2 * spent)
  }

  /** Runs the parser, and adds up the time that it takes. */
  measure<T>(parse: () => T): T {
    const began = performance.now()
    try {
      return parse()
    } finally {
      this.#spent += performance.now() - began
    }
  }
}
