// Lets requests that need the same number at the same time share one count, because a count costs a server more than
// the rest of a list. Knows who counts and who waits, but no statements.

/**
 * Most milliseconds that requests wait for one count. While they wait, they hold connections, and are not cancelled if
 * their clients no longer wait. A count that takes longer is not shared.
 */
const maxWait = 100

/** What a request learns by waiting: the number; or that it is to count, for others too or, if null, for itself alone. */
export type Told = number | Run | null

type Tell = (told: Told) => void

const nobody: readonly Tell[] = []

/** One count. */
export class Run {
  readonly key: string
  /** The requests that share its number: all of them waited before it began. */
  sharers: readonly Tell[]
  /** The requests that came after it had begun. */
  waiting: Tell[] = []
  /** Limits the time that others wait; null as long as nobody does. */
  timer: NodeJS.Timeout | null = null
  /** Nobody waits for it any more. */
  isLong = false
  /** Another request counts the same beside it. */
  hasBeside = false

  constructor(key: string, sharers: readonly Tell[]) {
    this.key = key
    this.sharers = sharers
  }
}

/**
 * The counts that run: at most two of a key, of which only the first is waited for. A request never gets a number whose
 * count may have begun before the request came, because a write may have been acknowledged in between. It waits for the
 * next count instead, which begins when the running one ends, and which all who wait then share. The first of them
 * counts on its own connection, so nobody waits for a connection. If it fails, the error is its own, and the next one
 * counts.
 */
export class SharedCounts {
  /** The first count of each key; at most one for each request that runs. */
  readonly #running = new Map<string, Run>()

  /**
   * Begins a count, which the caller must end(). Returns null if the caller may wait() for it: two requests at a time
   * would gain nothing by that, so one more may count beside the first if nobody waits.
   */
  begin(key: string): Run | null {
    const run = this.#running.get(key)
    if (run === undefined) return this.#start(key, nobody)
    if (run.hasBeside || run.waiting.length > 0 || run.sharers.length > 0) return null
    run.hasBeside = true
    return new Run(key, nobody)
  }

  /** Waits for the next count of what is being counted. The caller must end() a run that it receives. */
  async wait(key: string): Promise<Told> {
    const run = this.#running.get(key)
    if (run === undefined || run.isLong) return null
    return new Promise(resolve => {
      run.waiting.push(resolve)
      this.#limit(run)
    })
  }

  /** Ends a count; `total` is null if it failed. The next one begins if requests wait for it. */
  end(run: Run, total: number | null): void {
    if (run.timer !== null) clearTimeout(run.timer)
    const { key, sharers, waiting } = run
    const running = this.#running.get(key)
    if (running !== run) {
      if (running !== undefined) running.hasBeside = false
      return
    }
    if (total !== null) for (const tell of sharers) tell(total)
    const [first, ...others] = total === null ? [...sharers, ...waiting] : waiting
    if (first === undefined) this.#running.delete(key)
    else {
      const next = this.#start(key, others)
      next.hasBeside = run.hasBeside
      first(next)
    }
  }

  #start(key: string, sharers: readonly Tell[]): Run {
    const run = new Run(key, sharers)
    this.#running.set(key, run)
    if (sharers.length > 0) this.#limit(run)
    return run
  }

  #limit(run: Run): void {
    run.timer ??= setTimeout(() => {
      const late = [...run.sharers, ...run.waiting]
      run.isLong = true
      run.sharers = nobody
      run.waiting = []
      for (const tell of late) tell(null)
    }, maxWait).unref()
  }
}
