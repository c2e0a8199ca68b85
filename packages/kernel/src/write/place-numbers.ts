// The numbers that sort links among the links of their targets. Writes that link to one target at the same time read the same last number, since a
// lock on the target would make each of them wait for the COMMIT of the one before. A register of the numbers in flight keeps
// the writes of this process apart. Of several processes on one database one gives whole numbers, as v4 does, and the others
// end theirs in a fraction that follows from the id of the linking row. Knows no SQL.

import type { Transaction } from '../database/session.ts'
import type { LinksJoin } from './links.ts'

/** So many fractions that two rows that are linked to one target at the same time do not share one. */
const fractions = 2 ** 20

/** The last number given for a target, while a transaction that was given one is under way. */
interface InFlight {
  last: number
  transactions: number
}

/** Gives numbers to new links. */
export class PlaceNumbers {
  readonly #inFlight = new WeakMap<LinksJoin, Map<number, InFlight>>()
  readonly #areWhole: () => boolean

  /** `areWhole`: is this the process whose numbers are whole? */
  constructor(areWhole: () => boolean) {
    this.#areWhole = areWhole
  }

  /** Registers a transaction that will link to these targets; before it reads their last numbers. */
  register(tx: Transaction, join: LinksJoin, targets: Iterable<number>): void {
    const byTarget = this.#inFlight.get(join) ?? new Map<number, InFlight>()
    this.#inFlight.set(join, byTarget)
    const registered = [...targets]
    for (const target of registered) {
      const known = byTarget.get(target)
      if (known === undefined) byTarget.set(target, { last: 0, transactions: 1 })
      else known.transactions++
    }
    tx.afterEnd(() => {
      for (const target of registered) if (--byTarget.get(target)!.transactions === 0) byTarget.delete(target)
    })
  }

  /** The number of a new link from the row `from`, behind `last`, the greatest that was read. */
  next(join: LinksJoin, target: number, from: number, last: number): number {
    const inFlight = this.#inFlight.get(join)?.get(target)
    const whole = Math.floor(Math.max(last, inFlight?.last ?? 0)) + 1
    if (inFlight !== undefined) inFlight.last = whole
    return this.#areWhole() ? whole : whole + ((from % (fractions - 1)) + 1) / fractions
  }
}
