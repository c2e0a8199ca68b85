// The condition of a write: the versions that its entry may have. It belongs to the context of the write, and holds for
// writes of one entry. Knows no transport.

import { type Context, PlinthError, type Transaction, type Write } from '@plinth/kernel'

declare module '@plinth/kernel' {
  interface AnswerCodes {
    /** The entry has another version than the condition of the write names. */
    PreconditionFailedError: 412
  }
}

/** The name of a condition among the values of a context. */
const name = 'entry-versions'

/** The entry that a condition is about. */
export interface ConditionTarget {
  readonly uid: string
  /** Null for the entry of a single type, whichever it is. */
  readonly id: number | null
}

/** The versions that a condition accepts: one of these, or any (`*`), so that there must be an entry. */
export type ExpectedVersions = readonly string[] | '*'

/** The condition of a write. */
export class Condition {
  readonly #target: ConditionTarget
  readonly #expected: ExpectedVersions
  /** The write that fulfils it, as long as its transaction runs and after COMMIT: what it writes besides is not checked. */
  #holder: Write | null = null
  /** The version of the entry before the write. */
  before: string | null = null
  /** The version of the entry after the write, if it was an update. */
  after: string | null = null

  constructor(target: ConditionTarget, expected: ExpectedVersions) {
    this.#target = target
    this.#expected = expected
  }

  isAboutType(uid: string): boolean {
    return this.#target.uid === uid
  }

  isAbout({ type: { uid }, id }: Pick<Write, 'type' | 'id'>): boolean {
    return this.isAboutType(uid) && (this.#target.id === null || this.#target.id === id)
  }

  get isHeld(): boolean {
    return this.#holder !== null
  }

  isHeldBy(write: Write): boolean {
    return this.#holder === write
  }

  allows(version: string): boolean {
    return this.#expected === '*' || this.#expected.includes(version)
  }

  /** Records that a write fulfils it. If its transaction is rolled back, the condition is checked again. */
  hold(write: Write, tx: Transaction, version: string): void {
    this.#holder = write
    this.before = version
    tx.afterEnd(() => {
      this.#holder = null
    })
    tx.afterCommit(() => {
      this.#holder = write
    })
  }
}

/** Adds a condition to a context, and to all that share its state. */
export function addCondition({ state }: Context, condition: Condition): void {
  state[name] = condition
}

/** Returns the condition of a context; null if it has none. */
export function conditionOf({ state }: Context): Condition | null {
  const condition = state[name]
  return condition instanceof Condition ? condition : null
}

/** The error of a write whose condition is not fulfilled; `version` is the present one, if the caller may know it. */
export function preconditionFailed(message: string, version: string | null): PlinthError {
  return new PlinthError(412, 'PreconditionFailedError', message, version === null ? {} : { version })
}
