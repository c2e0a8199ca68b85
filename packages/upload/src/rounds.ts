// Runs a function once a minute as long as the plugin runs, and sooner after a failure. Knows nothing of what it does.

/** Milliseconds between two runs. */
const interval = 60_000
/** Milliseconds after the first failure; the pause doubles with each failure that follows. */
const firstPause = 5000

export class Rounds {
  readonly #round: () => Promise<boolean>
  #timer: NodeJS.Timeout | null = null
  /** When the timer fires, in milliseconds since 1970. */
  #next = Infinity
  #pause = firstPause
  #running: Promise<void> | null = null
  #isClosed = false

  /** `round` resolves with false if something has failed, and never rejects. */
  constructor(round: () => Promise<boolean>) {
    this.#round = round
  }

  /** Runs the function once, and again and again from then on. */
  async start(): Promise<void> {
    this.#running = this.#run()
    await this.#running
  }

  /** Something has failed outside of a round: the next one comes sooner. */
  hasten(): void {
    if (this.#running === null) this.#schedule(this.#pause)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    await this.#running
  }

  #schedule(after: number): void {
    const next = Date.now() + after
    if (this.#isClosed || next >= this.#next) return
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#next = next
    const run = () => {
      this.#running = this.#run()
    }
    // A process that has nothing else to do must be able to end.
    this.#timer = setTimeout(run, after).unref()
  }

  async #run(): Promise<void> {
    this.#next = Infinity
    const isDone = await this.#round()
    this.#running = null
    this.#pause = isDone ? firstPause : Math.min(this.#pause * 2, interval)
    this.#schedule(isDone ? interval : this.#pause)
  }
}
