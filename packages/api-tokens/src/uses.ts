// Notes when tokens were used, and records it at most once an hour, in one statement for all of them (B-6.72,
// security.md row 59). Knows tokens by their ids only.

/** Between two records of the same token, and between two statements. */
const hour = 3_600_000

/** Milliseconds that the first use waits for others that are recorded with it. */
const gather = 10_000

/** Milliseconds after a failure until the record is tried again. */
const pause = 60_000

/** Stores the times by the ids of tokens. */
type Record = (times: ReadonlyMap<number, Date>) => Promise<void>

/** The uses of the tokens of one kernel. */
export class Uses {
  readonly #record: Record
  readonly #onError: (error: unknown) => void
  /** Milliseconds since 1970, by the id of the token. */
  #pending = new Map<number, number>()
  /** When the next statement may run. */
  #due = 0
  #timer: NodeJS.Timeout | null = null
  #running: Promise<void> | null = null

  constructor(record: Record, onError: (error: unknown) => void) {
    this.#record = record
    this.#onError = onError
  }

  /** Notes a use of a token that was last recorded as used at `recorded`. */
  note(id: number, recorded: string | null, now = Date.now()): void {
    if (recorded !== null && now - Date.parse(recorded) < hour) return
    this.#pending.set(id, now)
    this.#schedule(now)
  }

  /** When a token was used, if that is not recorded yet, in ISO format. */
  of(id: number): string | null {
    const at = this.#pending.get(id)
    return at === undefined ? null : new Date(at).toISOString()
  }

  /** Records what is pending. Does not throw; a failure is reported, and tried again later. */
  async close(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    await this.#running
    await this.#flush()
    if (this.#timer !== null) clearTimeout(this.#timer)
  }

  #schedule(now: number): void {
    if (this.#timer !== null) return
    const run = () => {
      this.#timer = null
      this.#running = this.#flush()
    }
    // A process that has nothing else to do must be able to end.
    this.#timer = setTimeout(run, Math.max(gather, this.#due - now)).unref()
  }

  async #flush(): Promise<void> {
    const times = this.#pending
    if (times.size === 0) return
    this.#pending = new Map()
    this.#due = Date.now() + hour
    try {
      await this.#record(new Map([...times].map(([id, at]) => [id, new Date(at)])))
    } catch (error) {
      this.#onError(error)
      // Uses that were noted meanwhile are later ones.
      this.#pending = new Map([...times, ...this.#pending])
      this.#due = Date.now() + pause
      this.#schedule(Date.now())
    }
  }
}
