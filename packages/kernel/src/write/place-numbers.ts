// The numbers that sort links among those of their target. Targets are not locked, since each write would wait for the COMMIT of
// the one before: writes that link to one target at the same time read the same last number, and a write of the target's own list
// numbers that from 1 to n without seeing them. A register of what is under way keeps the writes of this process apart. Of several
// processes on one database one gives whole numbers, as v4 does; the numbers of the others end in a fraction, as do those of
// writes that the register cannot keep apart. Knows no SQL.

import type { Transaction } from '../database/session.ts'
import type { LinkTable } from '../model/content-type.ts'

/** So many fractions that two rows that are linked to one target at the same time do not share one; all are below a half. */
const fractions = 2 ** 19 - 1
const fractionOf = (id: number): number => ((id % fractions) + 1) / 2 ** 20

/** The fraction of lists that are numbered while somebody links to their entry: there is one such write at a time. */
const half = 0.5

/** A transaction that links to an entry. */
interface Linking {
  readonly tx: Transaction
  /** Do its numbers need a fraction? */
  readonly isFractional: boolean
}

/** Transactions under way that number links of one target. */
interface UnderWay {
  /** The last whole number that was given. */
  last: number
  readonly linking: Linking[]
  /** Those that number its own list. */
  readonly listing: Transaction[]
}

/** Those of one column of numbers, by target. */
type Column = Map<number, UnderWay>

/** Gives numbers to links. */
export class PlaceNumbers {
  readonly #columns = new Map<string, Column>()
  /** Of a link table, the column that numbers the links of its targets. */
  readonly #ofTargets = new WeakMap<LinkTable, Column>()
  readonly #areWhole: () => boolean

  /** `areWhole`: is this the process whose numbers are whole? */
  constructor(areWhole: () => boolean) {
    this.#areWhole = areWhole
  }

  /** Registers a transaction that will link to these targets; before it reads their last numbers. */
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

  /** The number of a new link from the row `from`, behind `last`, the greatest that was read. */
  nextLink(tx: Transaction, table: LinkTable, { target, from, last }: NewLink): number {
    const underWay = this.#columnOf(table).get(target)
    const whole = Math.floor(Math.max(last, underWay?.last ?? 0)) + 1
    if (underWay !== undefined) underWay.last = whole
    const isFractional = underWay?.linking.find(one => one.tx === tx)?.isFractional === true
    return this.#areWhole() && !isFractional ? whole : whole + fractionOf(from)
  }

  /** Registers a transaction that will number the list of an entry, before it reads the list. Gives the fraction of its numbers. */
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
    const known = this.#ofTargets.get(table)
    if (known !== undefined) return known
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
  const known = column.get(id)
  if (known !== undefined) return known
  const underWay: UnderWay = { last: 0, linking: [], listing: [] }
  column.set(id, underWay)
  return underWay
}

function close(column: Column, id: number): void {
  const { linking, listing } = column.get(id)!
  if (linking.length + listing.length === 0) column.delete(id)
}

/** A link in the making; `last` is the greatest number among the links of its target. */
interface NewLink {
  readonly target: number
  readonly from: number
  readonly last: number
}
