// Reads a page of a list and its total. Counting is most of the cost of a list, so a total is cached until any
// connection commits, follows without a count from a page that is not full, and on servers is counted once for the
// requests that wait for it. Knows statements and bind values, but no queries.

import { LRUCache } from '#lru-cache'
import { type BoundPlan, toText } from '../answer/execution.ts'
import type { Database } from '../database/database.ts'
import type { BoundStatement, Maybe, Rows, Session } from '../database/session.ts'
import type { ParsedQuery } from '../query/query.ts'
import type { CompiledPlan } from '../sql/compile.ts'
import type { Bound } from '../sql/dialect.ts'
import type { Statement } from '../sql/statement.ts'
import { type Run, SharedCounts, type Wait } from './shared-counts.ts'

/** The rows of a page and its total. */
export interface Page {
  readonly rows: Rows
  /** Null if it was not requested, or if `awaited` is set. */
  readonly total: number | null
  /** Set if the total is counted for several requests: the caller must settle() it, or after an error leave() its wait. */
  readonly awaited: AwaitedTotal | null
}

/** A total for which a request waits. It needs no connection for that. */
export interface AwaitedTotal {
  readonly count: BoundStatement
  readonly bound: BoundPlan
  readonly wait: Wait
}

/** What a count needs. */
interface Counting {
  readonly session: Session
  readonly count: BoundStatement
  readonly bound: BoundPlan
  /** The version of the database, read before the count. */
  readonly version: number | null
}

/** Runs `work` on a connection. */
type OnConnection = (work: (session: Session) => Promise<number>) => Maybe<number>

/** Reads pages with their totals, and caches the totals. */
export class Totals {
  readonly #database: Database
  readonly #remembered = new LRUCache<string, { readonly total: number; readonly version: number }>({
    max: 10_000,
    maxSize: 8 * 1024 * 1024,
    sizeCalculation: (_, key) => 2 * key.length + 200,
  })
  /** The count statements of shapes whose last page was full. */
  readonly #fullPages = new WeakSet<Statement>()
  readonly #shared = new SharedCounts()
  /** A number for each text, so that keys are short: those of plans with per-request values are made for each request. */
  readonly #numbers = new LRUCache<string, number>({ max: 10_000 })
  readonly #prefixes = new WeakMap<Statement, string>()
  #lastNumber = 0

  constructor(database: Database) {
    this.#database = database
  }

  /** The key of a total: equal for equal counts with equal values, whatever plans they are of. */
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

  /**
   * Reads the entries and their total. If the last page of this shape was full, one round trip reads both, unless
   * another request counts.
   */
  async readPage(
    session: Session,
    { entries, total }: CompiledPlan,
    bound: BoundPlan,
    { query, pagination }: ParsedQuery,
  ): Promise<Page> {
    const isList = query.action !== 'count'
    const page = { text: entries.text, values: bound.entries }
    if (total === null) return pageOf(isList ? await session.all(page.text, page.values) : [], null)
    const count = { text: total.text, values: bound.total! }
    const isShared = this.#database.readsBeside
    const before = isList && session.canBatch && this.#fullPages.has(total) ? this.#recall(session, bound) : null
    const isNeeded = before !== null && before.total === null
    const both = isNeeded
      ? await this.#readBoth(page, { session, count, bound, version: before.version }, isShared)
      : pageOf(isList ? await session.all(page.text, page.values) : [], null)
    const { rows } = both
    if (pagination !== null && rows.length > 0 && rows.length < pagination.limit) {
      this.#fullPages.delete(total)
      both.awaited?.wait.leave()
      return pageOf(rows, pagination.start + rows.length)
    }
    this.#fullPages.add(total)
    if (isNeeded) return both
    // Looked up after the entries have been read: an earlier total may be older than they are.
    const known = this.#recall(session, bound)
    if (known.total !== null) return pageOf(rows, known.total)
    const counting = { session, count, bound, version: known.version }
    const run = isShared ? this.#shared.begin(bound.totalKey) : null
    if (isShared && run === null) return { rows, total: null, awaited: this.#await(count, bound) }
    return pageOf(rows, await this.#countFor(run, counting))
  }

  /** The total for which a request waited; it is counted on a connection from `read` if this request is to count. */
  async settle({ count, bound, wait }: AwaitedTotal, read: OnConnection): Promise<number> {
    const outcome = await wait.outcome
    if (typeof outcome === 'number') return outcome
    let isBegun = false
    try {
      return await read(session => {
        isBegun = true
        return this.#countFor(outcome, { session, count, bound, version: this.#database.version(session) })
      })
    } finally {
      if (!isBegun && outcome !== null) this.#shared.end(outcome, null)
    }
  }

  #await(count: BoundStatement, bound: BoundPlan): AwaitedTotal {
    return { count, bound, wait: this.#shared.wait(bound.totalKey) }
  }

  /** Reads the page and its total in one round trip; or only the page, if another request counts. */
  async #readBoth(page: BoundStatement, counting: Counting, isShared: boolean): Promise<Page> {
    const { session, count, bound, version } = counting
    const run = isShared ? this.#shared.begin(bound.totalKey) : null
    if (isShared && run === null) return this.#readBeside(page, session, this.#await(count, bound))
    try {
      const [rows, counted] = await session.batch([page, count])
      return pageOf(rows!, this.#remember(bound, version, counted!))
    } finally {
      if (run !== null) this.#shared.end(run, null)
    }
  }

  async #readBeside({ text, values }: BoundStatement, session: Session, awaited: AwaitedTotal): Promise<Page> {
    try {
      return { rows: await session.all(text, values), total: null, awaited }
    } catch (error) {
      awaited.wait.leave()
      throw error
    }
  }

  /** Counts for the requests that share `run`, or for this request alone. */
  async #countFor(run: Run | null, counting: Counting): Promise<number> {
    if (run === null) return this.#count(counting)
    let total: number | null = null
    this.#shared.start(run)
    try {
      total = await this.#count(counting)
      return total
    } finally {
      this.#shared.end(run, total)
    }
  }

  async #count({ session, count, bound, version }: Counting): Promise<number> {
    return this.#remember(bound, version, await session.all(count.text, count.values))
  }

  /** The version of the database, which is null if it is not known, and the total cached for it. */
  #recall(
    session: Session,
    { totalKey }: BoundPlan,
  ): { readonly version: number | null; readonly total: number | null } {
    const version = this.#database.version(session)
    const known = version === null ? undefined : this.#remembered.get(totalKey)
    return { version, total: known?.version === version ? (known?.total ?? null) : null }
  }

  /** `version` was read before the count. */
  #remember({ totalKey }: BoundPlan, version: number | null, counted: Rows): number {
    const total = Number(counted[0]![0])
    if (version !== null) this.#remembered.set(totalKey, { total, version })
    return total
  }
}

function pageOf(rows: Rows, total: number | null): Page {
  return { rows, total, awaited: null }
}
