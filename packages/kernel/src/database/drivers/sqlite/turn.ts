// How much of a turn of the event loop goes to statements: what exceeds a share waits for the next turn, so that everything
// else is heard in between.

/** Milliseconds of one turn in which questions begin. */
const share = 1

/** So many questions that waited are let in one after the other in one turn. */
const most = 4

/** Milliseconds after which a turn is looked at; shorter ones need no account. */
const worthTelling = 0.5

/** The share of SQLite in the turns of the event loop. */
export class LoopTurn {
  #spent = 0
  /** An immediate is under way that begins a new account. */
  #isTold = false
  #waiting: (() => void)[] = []
  #isDraining = false

  /** Has this turn's share been used up? */
  get isSpent(): boolean {
    return this.#spent >= share
  }

  /** Has this turn's share been used up, or do others wait? */
  get isOver(): boolean {
    return this.isSpent || this.#waiting.length > 0
  }

  /** Tells of `took` milliseconds of statements. */
  spend(took: number): void {
    this.#spent += took
    if (this.#isTold || this.#spent < worthTelling) return
    this.#isTold = true
    setImmediate(() => {
      this.#isTold = false
      this.#spent = 0
    })
  }

  /** Resolves in a turn that has time left. */
  async next(): Promise<void> {
    await new Promise<void>(resolve => {
      this.#waiting.push(resolve)
      if (this.#isDraining) return
      this.#isDraining = true
      setImmediate(() => this.#drain())
    })
  }

  /** Each in an immediate of its own: what it did is known before the next one begins. */
  #drain(): void {
    this.#spent = 0
    for (let i = 0; i < most; i++) setImmediate(() => this.#admit())
    setImmediate(() => {
      this.#isDraining = this.#waiting.length > 0
      if (this.#isDraining) this.#drain()
    })
  }

  #admit(): void {
    if (this.#spent < share) this.#waiting.shift()?.()
  }
}
