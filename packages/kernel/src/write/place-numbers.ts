// Assigns the numbers that order the links of a target. Targets are not locked, because each write would wait for the
// COMMIT of the previous one: concurrent writes that link to one target read the same last number, and a write of the
// target's own list numbers it from 1 to n without seeing the others. A register of running transactions prevents equal
// numbers within this process. Of several processes on one database, one assigns whole numbers, as v4 does; the numbers
// of the others end in a fraction, as do those of writes that the register cannot keep apart. Knows no SQL.

import type { Transaction } from '../connection/session.ts'
import type { LinkTable } from '../model/content-type.ts'

/** Enough fractions that two rows that link to one target at the same time get different ones; all are below a half. */
const fractions = 2 ** 19 - 1
const fractionOf = (id: number): number => ((id % fractions) + 1) / 2 ** 20

/** The fraction of a list that is numbered while other writes link to its entry. Only one such write runs at a time. */
const half = 0.5

/** A transaction that links to an entry. */
interface LinkingTransaction {
  readonly tx: Transaction
  /** True if its numbers need a fraction. */
  readonly isFractional: boolean
}

/** The running transactions that number links of one target. */
interface UnderWay {
  /** The last whole number that was assigned. */
  last: number
  readonly linking: LinkingTransaction[]
  /** The transactions that number its own list. */
  readonly listing: Transaction[]
}

/** The running transactions for one column of numbers, by target. */
type Column = Map<number, UnderWay>

/** Assigns numbers to links. */
export interface PlaceNumbers {
  /** Registers a transaction that will link to these targets, before it reads their last numbers. */
  registerLinks(tx: Transaction, table: LinkTable, targets: readonly number[]): void
  /** Returns the number of a new link from the row `from`, after `last`, the greatest number that was read. */
  nextLink(tx: Transaction, table: LinkTable, link: NewLink): number
  /** Registers a transaction that will number the list of an entry, before it reads the list. Returns the fraction. */
  registerList(tx: Transaction, table: LinkTable, id: number): number
}

/** The numbers of a database with one writer at a time, which has read the last number of all. */
export class OneWriterNumbers implements PlaceNumbers {
  registerLinks(): void {}

  nextLink(_tx: Transaction, _table: LinkTable, { last }: NewLink): number {
    return Math.floor(last) + 1
  }

  registerList(): number {
    return 0
  }
}

/** The numbers of a database with many writers. */
export class SharedNumbers implements PlaceNumbers {
  readonly #columns = new Map<string, Column>()
  /** The column that numbers the links of targets, by link table. */
  readonly #ofTargets = new WeakMap<LinkTable, Column>()
  readonly #areWhole: () => boolean

  /** `areWhole` says whether this is the process that assigns whole numbers. */
  constructor(areWhole: () => boolean) {
    this.#areWhole = areWhole
  }

  registerLinks(tx: Transaction, table: LinkTable, targets: readonly number[]): void {
    const column = this.#columnOf(table)
    const added = targets.filter(target => {
      const { linking, listing } = open(column, target)
      if (linking.some(one => one.tx === tx)) return false
      linking.push({ tx, isFractional: listing.length > 0 })
      return true
    })
    if (added.length === 0) return
    tx.afterEnd(() => {
      for (const target of added) {
        const { linking } = column.get(target)!
        linking.splice(
          linking.findIndex(one => one.tx === tx),
          1,
        )
        close(column, target)
      }
    })
  }

  nextLink(tx: Transaction, table: LinkTable, { target, from, last }: NewLink): number {
    const underWay = this.#columnOf(table).get(target)
    const whole = Math.floor(Math.max(last, underWay?.last ?? 0)) + 1
    if (underWay !== undefined) underWay.last = whole
    const isFractional = underWay?.linking.find(one => one.tx === tx)?.isFractional === true
    return this.#areWhole() && !isFractional ? whole : whole + fractionOf(from)
  }

  registerList(tx: Transaction, table: LinkTable, id: number): number {
    const column = this.#column(table.table, table.order!)
    const { linking, listing } = open(column, id)
    if (!listing.includes(tx)) {
      listing.push(tx)
      tx.afterEnd(() => {
        listing.splice(listing.indexOf(tx), 1)
        close(column, id)
      })
    }
    return this.#areWhole() && linking.length === 0 ? 0 : half
  }

  #columnOf(table: LinkTable): Column {
    const cached = this.#ofTargets.get(table)
    if (cached !== undefined) return cached
    const column = this.#column(table.table, table.inverseOrder!)
    this.#ofTargets.set(table, column)
    return column
  }

  #column(table: string, name: string): Column {
    const key = `${table} ${name}`
    const column = this.#columns.get(key) ?? new Map()
    this.#columns.set(key, column)
    return column
  }
}

function open(column: Column, id: number): UnderWay {
  const present = column.get(id)
  if (present !== undefined) return present
  const underWay: UnderWay = { last: 0, linking: [], listing: [] }
  column.set(id, underWay)
  return underWay
}

function close(column: Column, id: number): void {
  const { linking, listing } = column.get(id)!
  if (linking.length + listing.length === 0) column.delete(id)
}

/** A link that is to be inserted; `last` is the greatest number among the links of its target. */
interface NewLink {
  readonly target: number
  readonly from: number
  readonly last: number
}
