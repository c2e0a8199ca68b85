// Reads a page of a list and its total. Counting is most of the cost of a list, so a total is cached until any
// connection commits, follows without a count from a page that is not full, and on servers is counted once for the
// requests that wait for it. Knows statements and bind values, but no queries.

import { LRUCache } from 'lru-cache'
import type { BoundPlan } from '../answer/execution.ts'
import type { Database } from '../database/database.ts'
import type { BoundStatement, Rows, Session } from '../database/session.ts'
import type { ParsedQuery } from '../query/query.ts'
import type { CompiledPlan } from '../sql/compile.ts'
import type { Statement } from '../sql/statement.ts'
import { type Run, SharedCounts } from './shared-counts.ts'

/** The rows of a page, and the number of all rows, which is null if it was not requested. */
export interface Page {
  readonly rows: Rows
  readonly total: number | null
}

/** What a count needs. */
interface Counting {
  readonly session: Session
  readonly count: BoundStatement
  readonly bound: BoundPlan
  /** The version of the database, read before the count. */
  readonly version: number | null
}

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

  constructor(database: Database) {
    this.#database = database
  }

  /** Reads the entries and their total. If the last page of this shape was full, one round trip reads both. */
  async readPage(
    session: Session,
    { entries, total }: CompiledPlan,
    bound: BoundPlan,
    { query, pagination }: ParsedQuery,
  ): Promise<Page> {
    const isList = query.action !== 'count'
    const page = { text: entries.text, values: bound.entries }
    if (total === null) return { rows: isList ? await session.all(page.text, page.values) : [], total }
    const count = { text: total.text, values: bound.total! }
    const before = isList && session.canBatch && this.#fullPages.has(total) ? this.#recall(session, bound) : null
    const isJoinable = before !== null && before.total === null
    const run = isJoinable && this.#database.readsBeside ? this.#shared.begin(bound.totalKey) : null
    const isJoined = isJoinable && (run !== null || !this.#database.readsBeside)
    const answers = isJoined
      ? await this.#readBoth(session, [page, count], run)
      : isList
        ? [await session.all(page.text, page.values)]
        : []
    const [rows = [], counted] = answers
    const isFull = pagination === null || rows.length === 0 || rows.length === pagination.limit
    if (!isFull) {
      this.#fullPages.delete(total)
      return { rows, total: pagination.start + rows.length }
    }
    this.#fullPages.add(total)
    if (isJoined) return { rows, total: this.#remember(bound, before.version, counted!) }
    // Looked up after the entries have been read: an earlier total may be older than they are.
    const known = this.#recall(session, bound)
    if (known.total !== null) return { rows, total: known.total }
    const counting = { session, count, bound, version: known.version }
    return { rows, total: await (this.#database.readsBeside ? this.#share(counting) : this.#count(counting)) }
  }

  async #readBoth(session: Session, steps: readonly BoundStatement[], run: Run | null): Promise<Rows[]> {
    try {
      return await session.batch(steps)
    } finally {
      if (run !== null) this.#shared.end(run, null)
    }
  }

  /** The total, counted at the earliest now, by this request or by another one. */
  async #share(counting: Counting): Promise<number> {
    const { totalKey } = counting.bound
    const told = this.#shared.begin(totalKey) ?? (await this.#shared.wait(totalKey))
    if (typeof told === 'number') return told
    if (told === null) return this.#count(counting)
    let total: number | null = null
    try {
      total = await this.#count(counting)
      return total
    } finally {
      this.#shared.end(told, total)
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
