// Decides which operations graphql-jit may compile. What it compiles stays in memory long after the operation is
// forgotten, because V8 keeps compiled sources until memory is short. So callers who send ever new texts must not have
// all of them compiled; the operations of an application are few.

/** How many operations may be compiled. */
export interface CompilationLimits {
  /** At once, at first. */
  readonly burst: number
  /** And then per minute. */
  readonly perMinute: number
}

const defaults: CompilationLimits = { burst: 100, perMinute: 6 }

/** The compilations of one endpoint. */
export class Compilations {
  readonly #limits: CompilationLimits
  readonly #now: () => number
  readonly #executed = new WeakSet<object>()
  readonly #allowed = new WeakSet<object>()
  #left: number
  #at: number

  /** `now` is in milliseconds. */
  constructor(limits: CompilationLimits = defaults, now: () => number = () => performance.now()) {
    this.#limits = limits
    this.#now = now
    this.#left = limits.burst
    this.#at = now()
  }

  /** Whether an operation that is about to be executed may be compiled. mercurius compiles none at its first execution. */
  allows(document: object): boolean {
    if (this.#allowed.has(document)) return true
    if (!this.#executed.has(document)) {
      this.#executed.add(document)
      return true
    }
    this.#refill()
    if (this.#left < 1) return false
    this.#left--
    this.#allowed.add(document)
    return true
  }

  #refill(): void {
    const { burst, perMinute } = this.#limits
    const now = this.#now()
    this.#left = Math.min(burst, this.#left + ((now - this.#at) / 60_000) * perMinute)
    this.#at = now
  }
}
