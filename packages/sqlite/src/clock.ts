// Limits how long a statement of a connection may run. The kernel's statements call `plinth_tick` for some of the rows
// that they visit (sql/guard.ts): only there can SQLite be interrupted.

/** The statement exceeded its time limit. */
export class OverdueError extends Error {
  constructor() {
    super('The statement exceeded its time limit')
  }
}

/**
 * A statement limited by processor time is stopped after this many times its share in any case, however busy the
 * machine is.
 */
const maxShares = 6

/** Returns the milliseconds of processor time that this process has used. */
function processorTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** The deadline of the running statement of a connection, as of performance.now(). */
export class StatementClock {
  #deadline = Number.POSITIVE_INFINITY
  /** Milliseconds of processor time; null if only the deadline counts. */
  #share: number | null = null
  /** The time when the statement is stopped at the latest. */
  #end = Number.POSITIVE_INFINITY
  /** The processor time used when half of the share had passed; null before that. */
  #half: number | null = null

  /** Lets the next statement run for `waitTimeout` milliseconds. */
  allow(waitTimeout: number): void {
    this.#share = null
    this.#deadline = performance.now() + waitTimeout
  }

  /**
   * Lets the next statement use `share` milliseconds of processor time. Time in which the process waits for the
   * processor does not count; until half of the share has passed, this makes no difference and is not measured.
   */
  share(began: number, share: number): void {
    this.#share = share
    this.#half = null
    this.#deadline = began + share / 2
    this.#end = began + share * maxShares
  }

  /** Returns the milliseconds of its share that a statement has used which took `took` milliseconds. */
  used(took: number): number {
    const share = this.#share!
    return this.#half === null ? Math.min(took, share / 2) : share / 2 + processorTime() - this.#half
  }

  /** Throws OverdueError if the statement has used its time. */
  check(): void {
    const now = performance.now()
    if (now > this.#deadline) this.#look(now)
  }

  #look(now: number): void {
    if (this.#share === null || now > this.#end) throw new OverdueError()
    if (this.#half === null) this.#half = processorTime()
    else if (processorTime() - this.#half > this.#share / 2) throw new OverdueError()
    // Measuring processor time costs a system call.
    this.#deadline = now + 1
  }
}
