// Lets requests that need the same number at the same time share one count, because a count costs a server more than
// the rest of a list. Knows who counts and who waits, but no statements.

/**
 * The maximum number of milliseconds that requests wait for a count that runs. While they wait, they hold no
 * connections, but are not cancelled if their clients no longer wait. A count that takes longer is not shared.
 */
const maxWait = 100

/** The maximum number of milliseconds that requests wait until the one that counts for them has a connection. */
const maxWaitForStart = 1000

/** The outcome of a request's wait: the number, a run if it counts for others too, or null if only for itself. */
export type Outcome = number | Run | null

/** The wait of one request. */
export class Wait {
  readonly #counts: SharedCounts
  readonly outcome: Promise<Outcome>
  #resolve!: (outcome: Outcome) => void
  /** The count that the request was given, and has not begun. */
  #run: Run | null = null
  hasLeft = false

  constructor(counts: SharedCounts) {
    this.#counts = counts
    this.outcome = new Promise(resolve => {
      this.#resolve = resolve
    })
  }

  end(outcome: Outcome): void {
    if (outcome instanceof Run) this.#run = outcome
    this.#resolve(outcome)
  }

  /** Ends the wait of a request that does not need the number any more. Another one that waits counts in its place. */
  leave(): void {
    this.hasLeft = true
    if (this.#run !== null) this.#counts.end(this.#run, null)
  }
}

/** One count. */
export class Run {
  readonly key: string
  /** The requests that share its number: all of them waited before it began. */
  sharers: Wait[]
  /** The requests that came after it had begun. */
  waiting: Wait[] = []
  hasBegun: boolean
  /** Limits the time that others wait; null as long as no other request waits. */
  timer: NodeJS.Timeout | null = null
  /** The others wait no longer. */
  isLong = false
  /** The count of another request that runs at the same time; null if there is none. */
  beside: Run | null = null

  constructor(key: string, hasBegun: boolean, sharers: Wait[] = []) {
    this.key = key
    this.hasBegun = hasBegun
    this.sharers = sharers
  }
}

/**
 * The counts that run: at most two of a key, of which only the first is waited for. A request never gets a number whose
 * count may have begun before the request came, because a write may have been acknowledged in between. It waits for the
 * next count instead, which begins when the running one has ended and one of those who wait has a connection, and which
 * all who wait then share. If it fails, the error is its own, and the next one counts.
 */
export class SharedCounts {
  /** The first count of each key; at most one for each request that runs. */
  readonly #running = new Map<string, Run>()

  /**
   * Begins a count, which the caller must end(). Returns null if the caller may wait() for another one. Two requests
   * count separately; sharing starts with the third.
   */
  begin(key: string): Run | null {
    const run = this.#running.get(key)
    if (run === undefined) {
      const first = new Run(key, true)
      this.#running.set(key, first)
      return first
    }
    if (run.beside !== null || run.waiting.length > 0 || run.sharers.length > 0) return null
    run.beside = new Run(key, true)
    return run.beside
  }

  /**
   * Waits for the next count of what is being counted. A caller that receives a run must start() and end() it; one that
   * does not need the number any more must leave().
   */
  wait(key: string): Wait {
    const wait = new Wait(this)
    const run = this.#running.get(key)
    if (run === undefined || run.isLong) {
      wait.end(null)
      return wait
    }
    ;(run.hasBegun ? run.waiting : run.sharers).push(wait)
    this.#limit(run)
    return wait
  }

  /** Begins the count of a run that wait() returned. */
  start(run: Run): void {
    if (run.hasBegun) return
    run.hasBegun = true
    if (run.timer === null) return
    clearTimeout(run.timer)
    run.timer = null
    this.#limit(run)
  }

  /** Ends a count, or gives up one that has not begun; `total` is null then and if it failed. */
  end(run: Run, total: number | null): void {
    if (run.timer !== null) clearTimeout(run.timer)
    const { key, sharers, waiting } = run
    const running = this.#running.get(key)
    if (running !== run) {
      if (running?.beside === run) running.beside = null
      return
    }
    if (total !== null) for (const wait of sharers) wait.end(total)
    const left = total === null ? [...sharers, ...waiting] : waiting
    const [first, ...others] = left.filter(wait => !wait.hasLeft)
    if (first === undefined) this.#running.delete(key)
    else this.#handOver(run, first, others)
  }

  #handOver({ key, beside }: Run, first: Wait, others: Wait[]): void {
    const next = new Run(key, false, others)
    next.beside = beside
    this.#running.set(key, next)
    if (others.length > 0) this.#limit(next)
    first.end(next)
  }

  #limit(run: Run): void {
    const stop = () => {
      const late = [...run.sharers, ...run.waiting]
      run.isLong = true
      run.sharers = []
      run.waiting = []
      for (const wait of late) wait.end(null)
    }
    run.timer ??= setTimeout(stop, run.hasBegun ? maxWait : maxWaitForStart).unref()
  }
}
