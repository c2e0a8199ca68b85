// The shares that wait for room in a budget, in the order of arrival. Does not know what the bytes are.

import type { Account } from './account.ts'
import type { Kind } from './kinds.ts'

/** The budget in which there is room or not. */
interface Room {
  fits(account: Account, bytes: number, kind: Kind): boolean
}

/** The share of a waiter, with the account of its caller. */
interface Claimant {
  readonly account: Account
}

/** A share that waits for room. */
interface Waiter {
  readonly share: Claimant
  readonly kind: Kind
  /** The bytes that are wanted in addition to those that the share has claimed. */
  readonly bytes: number
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
  readonly timer: NodeJS.Timeout
}

/** The shares that wait. */
export class WaitingShares {
  readonly #budget: Room
  readonly #waiters = new Set<Waiter>()

  constructor(budget: Room) {
    this.#budget = budget
  }

  get size(): number {
    return this.#waiters.size
  }

  /** Resolves when there is room for the bytes; rejects with the error of `refuse` at the end of the time. */
  wait(share: Claimant, { kind, bytes, timeout, refuse }: WaitOptions): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        share,
        kind,
        bytes,
        resolve,
        reject,
        timer: setTimeout(() => {
          this.#end(waiter)
          reject(refuse())
        }, timeout),
      }
      this.#waiters.add(waiter)
      share.account.waiting++
    })
  }

  /** Lets those go on for whom there is room, in the order in which they came. */
  serve(): void {
    const budget = this.#budget
    // Those that are let go on claim their bytes later.
    let promised = 0
    for (const waiter of this.#waiters) {
      if (!budget.fits(waiter.share.account, promised + waiter.bytes, waiter.kind)) continue
      promised += waiter.bytes
      this.#end(waiter)
      waiter.resolve()
    }
  }

  /** Counts what a share waits for to another account, before it moves there. */
  move(share: Claimant, account: Account): void {
    for (const waiter of this.#waiters) {
      if (waiter.share !== share) continue
      share.account.waiting--
      account.waiting++
    }
  }

  /** Rejects what a share waits for, because it was closed. */
  leave(share: Claimant, error: unknown): void {
    for (const waiter of this.#waiters) {
      if (waiter.share !== share) continue
      this.#end(waiter)
      waiter.reject(error)
    }
  }

  #end(waiter: Waiter): void {
    this.#waiters.delete(waiter)
    waiter.share.account.waiting--
    clearTimeout(waiter.timer)
  }
}

interface WaitOptions {
  readonly kind: Kind
  readonly bytes: number
  /** In milliseconds. */
  readonly timeout: number
  readonly refuse: () => Error
}
