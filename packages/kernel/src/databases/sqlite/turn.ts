// How much of a turn of the event loop goes to statements: what exceeds a share waits for the next turn, so that everything
// else is heard in between.

/** Milliseconds of one turn in which questions begin: where all take long, and where quick ones come in between. */
const share = { alone: 15, shared: 1 }

/** So many turns after a quick question others like it are expected. */
const memory = 64

/** So many questions that waited are let in one after the other in one turn. */
const most = 4

/** Milliseconds after which a turn is looked at; shorter ones need no account. */
const worthTelling = 0.5

/** The share of SQLite in the turns of the event loop. */
export class LoopTurn {
  #spent = 0
  /** An immediate is under way that begins a new account. */
  #isTold = false
  /** Turns for which quick questions are expected. */
  #expected = 0
  #waiting: (() => void)[] = []
  #isDraining = false

  /** Did quick questions come lately? */
  get isShared(): boolean {
    return this.#expected > 0
  }

  get #isSpent(): boolean {
    return this.#spent >= (this.isShared ? share.shared : share.alone)
  }

  /** Has this turn's share been used up, or do others wait? */
  get isOver(): boolean {
    return this.#isSpent || this.#waiting.length > 0
  }

  /** Tells of a quick question. */
  expect(): void {
    this.#expected = memory
  }

  #begin(): void {
    this.#spent = 0
    if (this.#expected > 0) this.#expected--
  }

  /** Tells of `took` milliseconds of statements. */
  spend(took: number): void {
    this.#spent += took
    if (this.#isTold || this.#spent < worthTelling) return
    this.#isTold = true
    setImmediate(() => {
      this.#isTold = false
      this.#begin()
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

  /**
   * Each in an immediate of its own: what it did is known before the next one begins. Two such turns have one between them in which
   * none of these begins: what came in meanwhile, writes too, is done in it.
   */
  #drain(): void {
    this.#begin()
    for (let i = 0; i < most; i++) setImmediate(() => this.#admit())
    setImmediate(() => {
      this.#isDraining = this.#waiting.length > 0
      if (this.#isDraining) setImmediate(() => this.#drain())
    })
  }

  #admit(): void {
    if (!this.#isSpent) this.#waiting.shift()?.()
  }
}
