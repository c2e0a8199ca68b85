// Remembers totals: until any connection commits, where commits are known of, and as the probable length of a list in any
// case. Knows neither pages nor how totals are counted.

import type { Database } from '../connection/database.ts'
import type { Rows, Session } from '../connection/session.ts'
import { type BoundPlan, toText } from '../result/execution.ts'
import type { CompiledPlan } from '../sql/compile.ts'
import type { Bound } from '../sql/dialect.ts'
import type { CountingPage } from '../sql/list.ts'
import type { Statement } from '../sql/statement.ts'
import { TextCache } from '../text-cache.ts'

/** A total that is counted. */
export interface CountedTotal {
  readonly compiled: CompiledPlan
  readonly bound: BoundPlan
  /** The version of the database, read before the count; null if it is not known. */
  readonly version: number | null
  /** True if the total is remembered, whatever the version, for pages from the end of the list. */
  readonly isDeep?: boolean
}

/** The totals of queries with their values. */
export class RememberedTotals {
  readonly #database: Database
  /** The totals, each with the version of the database; null if it is not known, or if nothing was counted for it. */
  readonly #cached = new TextCache<{ readonly total: number; readonly version: number | null }>({
    max: 10_000,
    maxSize: 8 * 1024 * 1024,
    sizeCalculation: (_, key) => 2 * key.length + 200,
  })
  /** The last total that was counted of each count statement: shapes that match few entries count with the page. */
  readonly #lastTotals = new WeakMap<Statement, number>()
  /**
   * A number for each text, so that keys are short: those of plans with per-request values are made for each request.
   */
  readonly #numbers = new TextCache<number>({ max: 10_000 })
  readonly #prefixes = new WeakMap<Statement, string>()
  #lastNumber = 0

  constructor(database: Database) {
    this.#database = database
  }

  /** Returns the key of a total: equal for equal counts with equal values, whatever plans they are of. */
  keyOf(count: Statement, values: readonly Bound[]): string {
    let prefix = this.#prefixes.get(count)
    if (prefix === undefined) {
      const number = this.#numbers.get(count.text) ?? ++this.#lastNumber
      this.#numbers.set(count.text, number)
      prefix = `${number} `
      this.#prefixes.set(count, prefix)
    }
    return prefix + toText(values)
  }

  /** Returns the version of the database, which is null if it is not known, and the total cached for it. */
  recall(
    session: Session,
    { totalKey }: BoundPlan,
  ): { readonly version: number | null; readonly total: number | null } {
    const version = this.#database.version(session)
    const cached = version === null ? undefined : this.#cached.get(totalKey)
    return { version, total: cached?.version === version ? (cached?.total ?? null) : null }
  }

  /** Returns the last total, which may have changed; null if none is remembered. */
  lastOf({ totalKey }: BoundPlan): number | null {
    return this.#cached.get(totalKey)?.total ?? null
  }

  /** Remembers a total from the rows of its count, and returns it. */
  add({ compiled, bound: { totalKey }, version, isDeep = false }: CountedTotal, rows: Rows): number {
    const total = Number(rows[0]![0])
    if (version !== null || isDeep) this.#cached.set(totalKey, { total, version })
    if (compiled.counted !== null) this.#lastTotals.set(compiled.total!, total)
    return total
  }

  /** Remembers the total that followed from a page without a count. */
  addUncounted({ totalKey }: BoundPlan, total: number): void {
    if (this.#cached.get(totalKey)?.total !== total) this.#cached.set(totalKey, { total, version: null })
  }

  /** Returns the page that counts, if it costs less with as many entries as were counted last. */
  countedOf({ counted, total }: CompiledPlan): CountingPage | null {
    if (counted === null || counted.maxTotal === Number.POSITIVE_INFINITY) return counted
    const lastTotal = this.#lastTotals.get(total!)
    return lastTotal !== undefined && lastTotal <= counted.maxTotal ? counted : null
  }
}
