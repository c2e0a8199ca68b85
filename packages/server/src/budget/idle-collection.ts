// Returns the memory of a load to the operating system. V8 collects garbage when code allocates, so a process that is idle
// after many large answers would keep what their rows and texts took until the next ones. Does not know what was held.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Milliseconds between two looks, and looks without a load until garbage is collected: 10 s. */
const interval = 5000
const quietLooks = 2

/** Collects garbage once, when a load has been over for 10 s. */
export class IdleCollection {
  readonly #isLoaded: () => boolean
  readonly #collect: () => void
  #timer: NodeJS.Timeout | null = null
  #looks = 0

  /** `isLoaded` says whether much is under way. */
  constructor(isLoaded: () => boolean, collect: () => void = collectGarbage) {
    this.#isLoaded = isLoaded
    this.#collect = collect
  }

  /** Called when much is under way: from then on it looks whether the load is over. */
  begin(): void {
    this.#looks = 0
    this.#timer ??= setInterval(() => this.look(), interval).unref()
  }

  /** Looks whether the load is over, and collects garbage if it has been over for long enough. */
  look(): void {
    this.#looks = this.#isLoaded() ? 0 : this.#looks + 1
    if (this.#looks < quietLooks) return
    this.stop()
    this.#collect()
  }

  /** Stops looking until the next load. */
  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
    this.#looks = 0
  }
}

/**
 * Collects all garbage of this thread, and returns the pages of the heap: collections that only mark and sweep keep most of
 * them.
 */
export function collectGarbage(): void {
  const collect = (globalThis.gc ?? takeCollector()) as (options: object) => void
  collect({ type: 'major', flavor: 'last-resort' })
}

/** V8 gives a new context the function for it while a flag is set, so the code of an application does not see it. */
function takeCollector(): unknown {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  return collect
}
