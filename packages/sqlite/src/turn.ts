// Limits the share of statements in a turn of the event loop: further reads wait for the next turn, so that other
// events are handled in between.

import { type Turn, Turns } from '@plinth/kernel/database'

/**
 * Milliseconds of one turn in which reads may begin: if all reads are long (`alone`), and if quick ones arrive in
 * between (`shared`).
 */
const share = { alone: 15, shared: 1 }

/** Number of turns after a quick read in which more quick reads are expected. */
const memory = 64

/** The maximum number of waiting reads that are let in one after the other in one turn. */
const maxWaiting = 100

/**
 * The part of the time that waiting reads and what follows from them may use while the server is busy with others, and
 * the most milliseconds of it in one turn.
 */
const waitingPart = 1 / 4
const maxWaitingTime = 50

/** Milliseconds from which a turn is accounted for; shorter ones are ignored. */
const minAccountedTime = 0.5

/** A read that waits. */
interface WaitingRead extends Turn {
  readonly begin: () => void
}

/** The caller and the shape of reads that have none. */
const none = {}

/** Accounts for SQLite's share of the turns of the event loop. */
export class LoopTurn {
  readonly #now: () => number
  #spent = 0
  /** When waiting reads were let in last. */
  #drained = 0
  /** An immediate is scheduled that resets the account. */
  #isResetScheduled = false
  /** The number of turns for which quick reads are expected. */
  #expected = 0
  readonly #waiting = new Turns<WaitingRead>()
  #isDraining = false

  /** `now` is the clock, in milliseconds. */
  constructor(now = () => performance.now()) {
    this.#now = now
  }

  /** Returns whether quick reads arrived recently. */
  get isShared(): boolean {
    return this.#expected > 0
  }

  get #share(): number {
    return this.isShared ? share.shared : share.alone
  }

  /** Returns whether this turn's share is used up or other reads wait. */
  get isOver(): boolean {
    return this.#spent >= this.#share || this.#waiting.size > 0
  }

  /** Records a quick read. */
  expect(): void {
    this.#expected = memory
  }

  #begin(): void {
    this.#spent = 0
    if (this.#expected > 0) this.#expected--
  }

  /** Records `took` milliseconds of statements. */
  spend(took: number): void {
    this.#spent += took
    if (this.#isResetScheduled || this.#spent < minAccountedTime) return
    this.#isResetScheduled = true
    setImmediate(() => {
      this.#isResetScheduled = false
      this.#begin()
    })
  }

  /** Resolves in a turn that has time left. Callers take turns, and so do the shapes of reads of one caller. */
  async next(caller: object = none, shape: object = none): Promise<void> {
    await new Promise<void>(begin => {
      this.#waiting.add({ caller, shape, begin })
      if (this.#isDraining) return
      this.#isDraining = true
      this.#drained = this.#now()
      setImmediate(() => this.#drain())
    })
  }

  /**
   * Lets in each read in its own immediate, so that its time is known before the next one begins. Between two such turns
   * is one in which none of these reads begins: it handles events that arrived meanwhile, including writes. What quick
   * reads use does not count here: a busy server has some in every turn, and its turns are long, so that the share of a
   * turn alone would let in too few. But the first one begins in any case.
   */
  #drain(): void {
    this.#begin()
    const now = this.#now()
    const mayTake = Math.max(this.#share, Math.min((now - this.#drained) * waitingPart, maxWaitingTime))
    this.#drained = now
    let end = Number.POSITIVE_INFINITY
    setImmediate(() => {
      end = this.#now() + mayTake
      this.#admit()
    })
    const admit = () => {
      // Everything that the reads before it led to counts: answers are written in their immediates, too.
      if (this.#now() < end) this.#admit()
    }
    for (let i = Math.min(maxWaiting, this.#waiting.size); i > 1; i--) setImmediate(admit)
    setImmediate(() => {
      this.#isDraining = this.#waiting.size > 0
      if (this.#isDraining) setImmediate(() => this.#drain())
    })
  }

  /** Lets in the next read, if one waits. */
  #admit(): void {
    this.#waiting.take()?.begin()
  }
}
