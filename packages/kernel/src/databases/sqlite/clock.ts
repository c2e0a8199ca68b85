// How long a statement of one connection may still run. Statements of the kernel call `plinth_tick` for some of the rows that
// they visit (sql/guard.ts): it is the only place where SQLite can be told to stop.

/** The statement ran longer than it may. */
export class OverdueError extends Error {
  constructor() {
    super('the statement takes too long')
  }
}

/** A statement that needs the processor is stopped after this many times its share, however busy the machine is. */
const maxShares = 6

/** Milliseconds of processor time that this process has used. */
function processorTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** The deadline of the statement that runs on a connection, in the time of performance.now(). */
export class StatementClock {
  #deadline = Number.POSITIVE_INFINITY
  /** Milliseconds of processor time; null where only the deadline counts. */
  #share: number | null = null
  /** When the statement is stopped at the latest. */
  #end = Number.POSITIVE_INFINITY
  /** Processor time when half of the share had passed; null before that. */
  #half: number | null = null

  /** The statement that begins may take `waitTimeout` milliseconds. */
  allow(waitTimeout: number): void {
    this.#share = null
    this.#deadline = performance.now() + waitTimeout
  }

  /**
   * The statement that begins may use `share` milliseconds of the processor. A process that has to wait for the processor
   * has not worked: until half of the share has passed that makes no difference, and needs no look.
   */
  share(began: number, share: number): void {
    this.#share = share
    this.#half = null
    this.#deadline = began + share / 2
    this.#end = began + share * maxShares
  }

  /** Milliseconds of its share that a statement has used which took `took` milliseconds. */
  used(took: number): number {
    const share = this.#share!
    return this.#half === null ? Math.min(took, share / 2) : share / 2 + processorTime() - this.#half
  }

  /** Throws OverdueError where the statement has used its time. */
  check(): void {
    const now = performance.now()
    if (now > this.#deadline) this.#look(now)
  }

  #look(now: number): void {
    if (this.#share === null || now > this.#end) throw new OverdueError()
    if (this.#half === null) this.#half = processorTime()
    else if (processorTime() - this.#half > this.#share / 2) throw new OverdueError()
    // Looking costs a system call.
    this.#deadline = now + 1
  }
}
