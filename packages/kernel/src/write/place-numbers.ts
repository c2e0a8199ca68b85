// The numbers that sort links among those of their target. Targets are not locked, since each write would wait for the COMMIT of
// the one before: writes that link to one target at the same time read the same last number, and a write of the target's own list
// numbers that from 1 to n without seeing them. A register of what is under way keeps the writes of this process apart. Of several
// processes on one database one gives whole numbers, as v4 does; the numbers of the others end in a fraction, as do those of
// writes that the register cannot keep apart. Knows no SQL.

import type { Transaction } from '../database/session.ts'
import type { LinksJoin } from './links.ts'

/** So many fractions that two rows that are linked to one target at the same time do not share one; all are below a half. */
const fractions = 2 ** 19 - 1
const fractionOf = (id: number): number => ((id % fractions) + 1) / 2 ** 20

/** The fraction of lists that are numbered while somebody links to their entry: there is one such write at a time. */
const half = 0.5

/** Transactions under way that number links of one target. */
interface UnderWay {
  /** The last whole number that was given. */
  last: number
  /** Those that link to it, by whether their numbers need a fraction. */
  readonly linking: Map<Transaction, boolean>
  /** Those that number its own list. */
  readonly listing: Set<Transaction>
}

/** Gives numbers to links. */
export class PlaceNumbers {
  readonly #underWay = new Map<string, Map<number, UnderWay>>()
  readonly #areWhole: () => boolean

  /** `areWhole`: is this the process whose numbers are whole? */
  constructor(areWhole: () => boolean) {
    this.#areWhole = areWhole
  }

  /** Registers a transaction that will link to these targets; before it reads their last numbers. */
  registerLinks(tx: Transaction, join: LinksJoin, targets: Iterable<number>): void {
    for (const target of targets) {
      const { linking, listing } = this.#open(join.table, join.inverseOrder!, target)
      if (linking.has(tx)) continue
      linking.set(tx, listing.size > 0)
      tx.afterEnd(() => {
        linking.delete(tx)
        this.#close(join.table, join.inverseOrder!, target)
      })
    }
  }

  /** The number of a new link from the row `from`, behind `last`, the greatest that was read. */
  nextLink(tx: Transaction, join: LinksJoin, { target, from, last }: NewLink): number {
    const underWay = this.#find(join.table, join.inverseOrder!, target)
    const whole = Math.floor(Math.max(last, underWay?.last ?? 0)) + 1
    if (underWay !== undefined) underWay.last = whole
    const isWhole = this.#areWhole() && underWay?.linking.get(tx) !== true
    return isWhole ? whole : whole + fractionOf(from)
  }

  /** Registers a transaction that will number the list of an entry, before it reads the list. Gives the fraction of its numbers. */
  registerList(tx: Transaction, join: LinksJoin, id: number): number {
    const { linking, listing } = this.#open(join.table, join.order!, id)
    if (!listing.has(tx)) {
      listing.add(tx)
      tx.afterEnd(() => {
        listing.delete(tx)
        this.#close(join.table, join.order!, id)
      })
    }
    return this.#areWhole() && linking.size === 0 ? 0 : half
  }

  #find(table: string, column: string, id: number): UnderWay | undefined {
    if (this.#underWay.size === 0) return undefined
    return this.#underWay.get(`${table} ${column}`)?.get(id)
  }

  #open(table: string, column: string, id: number): UnderWay {
    const key = `${table} ${column}`
    const byId = this.#underWay.get(key) ?? new Map<number, UnderWay>()
    this.#underWay.set(key, byId)
    const underWay = byId.get(id) ?? { last: 0, linking: new Map(), listing: new Set() }
    byId.set(id, underWay)
    return underWay
  }

  #close(table: string, column: string, id: number): void {
    const underWay = this.#find(table, column, id)
    if (underWay === undefined || underWay.linking.size + underWay.listing.size > 0) return
    this.#underWay.get(`${table} ${column}`)!.delete(id)
  }
}

/** A link in the making; `last` is the greatest number among the links of its target. */
interface NewLink {
  readonly target: number
  readonly from: number
  readonly last: number
}
