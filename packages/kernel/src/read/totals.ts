// Reads a page of a list and its total. Counting is most of the cost of a list, so a total is remembered, follows without
// a count from a page that is not full, and on servers is counted once for the requests that wait for it, or with the
// page. Reads of several statements that are to show one state begin a snapshot; its total is counted in it. A page near
// the end of its list is found from there, with the last total, and is read again if the total has changed. Knows neither
// plans nor how connections are chosen.

import type { Database } from '../connection/database.ts'
import type { BoundStatement, Maybe, Rows, Session } from '../connection/session.ts'
import type { ParsedQuery } from '../query/query.ts'
import type { BoundPlan, ReadResult } from '../result/execution.ts'
import { isLeaf, SnapshotEndedError } from '../result/last-statements.ts'
import type { NodeRows } from '../result/node-rows.ts'
import type { CompiledPlan } from '../sql/compile.ts'
import type { Bound } from '../sql/dialect.ts'
import type { Statement } from '../sql/statement.ts'
import { isDeep } from './page-from-end.ts'
import { type CountedTotal, RememberedTotals } from './remembered-totals.ts'
import { type Run, SharedCounts, type Wait } from './shared-counts.ts'

const noValues: readonly Bound[] = []

/** The rows of a page and its total. */
interface Page {
  readonly rows: Rows
  /** Null if it was not requested, or if `awaited` is set. */
  readonly total: number | null
  /** Set if the total is counted for several requests. */
  readonly awaited: AwaitedTotal | null
}

/** A page with what is below its entries. */
interface PageRows extends Omit<Page, 'rows'> {
  readonly rows: NodeRows
  /** Milliseconds until the page was there, with its total if this request has counted it; 0 if nobody listens. */
  readonly milliseconds: number
}

/** Called when a page was read: its query, the milliseconds that it took, and the total. */
export type PageListener = (query: PageQuery, milliseconds: number, total: number | null) => void

/** A page whose total is needed. */
interface CountedPage {
  readonly session: Session
  readonly parsed: ParsedQuery
  readonly compiled: CompiledPlan
  readonly bound: BoundPlan
  /** The statement of the count, as compiled and as bound. */
  readonly total: Statement
  readonly count: BoundStatement
  /** True if requests share counts. Those in a snapshot cannot: the total of another request is of another state. */
  readonly isShared: boolean
  /** True if the snapshot ends with the page and its total. */
  readonly endsSnapshot: boolean
}

/** A read of a page on its connection. */
interface PageRead {
  readonly session: Session
  readonly query: PageQuery
  readonly steps: PageSteps
  /** True if the snapshot is to end with the last statements that are expected. */
  readonly endsSnapshot: boolean
  /** True if the page is found from the beginning of the list, because a total was not what it had been. */
  readonly isForward?: boolean
}

/** A page that is found from the end of its list. It is the page if the list has as many entries as `total` says. */
interface PageFromEnd {
  readonly page: BoundStatement
  readonly total: number
}

/** A total for which a request waits. It needs no connection for that. */
interface AwaitedTotal {
  readonly compiled: CompiledPlan
  readonly count: BoundStatement
  readonly bound: BoundPlan
  readonly wait: Wait
}

/** A query whose page and total are read. */
export interface PageQuery {
  readonly compiled: CompiledPlan
  readonly parsed: ParsedQuery
  readonly bound: BoundPlan
}

/** The functions that run the parts of a read. */
export interface PageSteps {
  /** Runs a read on a connection. Reads of one `shape` take about the same time. */
  onConnection<T>(work: (session: Session) => Promise<T>, shape: object): Maybe<T>
  /** Called when the page has a connection, also if it is read again. */
  begin(): void
  /**
   * Returns the statement of the page from the end of a list of `total` entries; null if it would not save much.
   * `isCounted`: each of its rows ends in the total.
   */
  pageFromEnd(list: { readonly total: number; readonly isCounted: boolean }): BoundStatement | null
  /** Reads what is below the entries. `endsSnapshot`: the snapshot is to end with that (SnapshotEndedError). */
  readBelow(session: Session, rows: Rows, endsSnapshot: boolean): Maybe<NodeRows>
  /** Reads the page again after an error, by `read`, or throws the error. */
  retry<T>(read: () => Maybe<T>, error: unknown): Promise<T>
  /** Called when the page was read, or has failed for good; the total may still be awaited. */
  end(): void
}

/** The arguments of a count. */
interface CountJob extends CountedTotal {
  readonly session: Session
  readonly count: BoundStatement
}

/** Reads pages with their totals. */
export class Totals {
  readonly #database: Database
  readonly #listener: PageListener | null
  /** The count statements of shapes whose last page was full. */
  readonly #fullPages = new WeakSet<Statement>()
  readonly #shared = new SharedCounts()
  readonly #remembered: RememberedTotals

  constructor(database: Database, listener: PageListener | null = null) {
    this.#database = database
    this.#listener = listener
    this.#remembered = new RememberedTotals(database)
  }

  /** Returns the key of a total: equal for equal counts with equal values, whatever plans they are of. */
  keyOf(count: Statement, values: readonly Bound[]): string {
    return this.#remembered.keyOf(count, values)
  }

  /** Reads a page, what is below its entries, and the total. */
  async read(query: PageQuery, steps: PageSteps): Promise<ReadResult> {
    const { compiled } = query
    const readPage = () => steps.onConnection(session => this.#readOn(session, query, steps), compiled)
    let page: PageRows
    try {
      page = await readPage()
    } catch (error) {
      page = await steps.retry(readPage, error)
    } finally {
      steps.end()
    }
    const { rows, awaited, milliseconds } = page
    // Without a connection: those that wait must not keep others from reading.
    const total =
      awaited === null ? page.total : await this.#settle(awaited, count => steps.onConnection(count, compiled.total!))
    if (this.#listener !== null) this.#listener(query, milliseconds, total)
    return { rows, total }
  }

  /** Reads a page on a connection, again in another snapshot if the first one has ended too early. */
  #readOn(session: Session, query: PageQuery, steps: PageSteps): Promise<PageRows> {
    const endsSnapshot = session.canSnapshot === true && session.canBatch
    const reading = this.#readWithin({ session, query, steps, endsSnapshot })
    if (!endsSnapshot) return reading
    return reading.catch((error: unknown) => {
      if (!(error instanceof SnapshotEndedError)) throw error
      return this.#readWithin({ session, query, steps, endsSnapshot: false })
    })
  }

  async #readWithin(read: PageRead): Promise<PageRows> {
    const { session, steps, endsSnapshot } = read
    const began = this.#listener === null ? 0 : performance.now()
    const reading = this.#readPage(read)
    const { rows, total, awaited } = reading instanceof Promise ? await reading : reading
    const milliseconds = this.#listener === null ? 0 : performance.now() - began
    try {
      const below = steps.readBelow(session, rows, endsSnapshot)
      return { rows: below instanceof Promise ? await below : below, total, awaited, milliseconds }
    } catch (error) {
      awaited?.wait.leave()
      throw error
    }
  }

  /** Reads the entries and their total. A promise only if the session or the count takes time. */
  #readPage(read: PageRead): Maybe<Page> {
    const { session, query, steps } = read
    const { compiled, parsed, bound } = query
    const { entries, total } = compiled
    steps.begin()
    const isList = parsed.query.action !== 'count'
    const mayBegin = isList && session.canSnapshot === true
    const fromEnd = isList ? this.#fromEndOf(read) : null
    const isFull = isList && total !== null && (fromEnd !== null || this.#fullPages.has(total))
    const isWhole = mayBegin && isLeaf(compiled.root)
    // A read that is expected to be one statement needs no snapshot. Where it is not sent anywhere, it costs less than a
    // page that is read twice because its total must be counted after all.
    const begins = mayBegin && (isFull || !isWhole || (total !== null && !this.#database.readsBeside))
    if (begins) session.beginSnapshot!()
    const page = { text: entries.text, values: bound.entries }
    if (total === null) return isList ? withRows(session, page, rows => pageOf(rows, null)) : pageOf([], null)
    const count = { text: total.text, values: bound.total! }
    const isShared = this.#database.readsBeside && !mayBegin
    const counted = { session, parsed, compiled, bound, total, count, isShared, endsSnapshot: isWhole }
    if (fromEnd !== null && begins && !session.canBatch) return this.#readFromEnd(fromEnd, read, counted)
    // If the last page of this shape was full, one round trip reads both, unless another request counts.
    if (isFull && session.canBatch) {
      const { version, total: cached } = this.#remembered.recall(session, bound)
      if (cached === null && fromEnd !== null) return this.#readCountedFromEnd(fromEnd, read, counted)
      if (cached === null) return this.#readFull(page, counted, version)
    }
    if (!isList) return this.#addTotal([], counted)
    return withRows(session, page, rows => {
      // The page turns out to be full: both statements must see one state, so it is read again, in a snapshot.
      if (mayBegin && !begins && this.#totalOf(rows, counted) === null) return this.#readPage(read)
      return this.#addTotal(rows, counted)
    })
  }

  /** Returns the page from the end of the list, if that is as long as when it was last counted with these values. */
  #fromEndOf({ session, query, steps, isForward }: PageRead): PageFromEnd | null {
    const { compiled, parsed, bound } = query
    if (compiled.fromEnd === null || isForward === true || !isDeep(parsed)) return null
    // Neither one message nor one snapshot would hold the page and its total.
    if (!session.canBatch && session.canSnapshot !== true) return null
    const total = this.#remembered.lastOf(bound)
    // A statement that counts what it visits is not to be replaced by two.
    if (total === null || this.#remembered.countedOf(compiled) !== null) return null
    const page = steps.pageFromEnd({ total, isCounted: session.canBatch })
    return page === null ? null : { page, total }
  }

  /** Reads a page from the end of its list: again, from the beginning, if the total in the same snapshot is another one. */
  #readFromEnd({ page, total: expected }: PageFromEnd, read: PageRead, counted: CountedPage): Maybe<Page> {
    const { session, compiled, count, bound } = counted
    const settle = (rows: Rows, total: number): Maybe<Page> =>
      total === expected ? pageOf(rows, total) : this.#readPage({ ...read, isForward: true })
    return withRows(session, page, rows => {
      const { version, total } = this.#remembered.recall(session, bound)
      if (total !== null) return settle(rows, total)
      return this.#count({ session, compiled, count, bound, version, isDeep: true }).then(value => settle(rows, value))
    })
  }

  /**
   * Reads a page from the end of its list with the total, in one statement: again, from the beginning, if the total is
   * another one, and from the beginning at once if another request counts.
   */
  async #readCountedFromEnd(fromEnd: PageFromEnd, read: PageRead, counted: CountedPage): Promise<Page> {
    const { session, compiled, count, bound, isShared, endsSnapshot } = counted
    const version = this.#database.version(session)
    const page = { text: compiled.entries.text, values: read.query.bound.entries }
    const run = isShared ? this.#shared.begin(bound.totalKey) : null
    if (isShared && run === null) return this.#readFull(page, counted, version)
    try {
      const rows = (await session.batch([fromEnd.page], endsSnapshot))[0]!
      const totals = rows.map(row => [row.pop()])
      const counting = { session, compiled, count, bound, version, isDeep: true }
      const total = totals.length === 0 ? null : this.#remembered.add(counting, totals)
      if (total === fromEnd.total) return pageOf(rows, total)
      if (!endsSnapshot) {
        read.steps.begin()
        if (total === null) return await this.#readFull(page, { ...counted, isShared: false }, version)
        const again = await session.all(page.text, page.values)
        return pageOf(again, this.#totalOf(again, counted) ?? total)
      }
    } finally {
      if (run !== null) this.#shared.end(run, null)
    }
    return this.#readPage({ ...read, isForward: true })
  }

  /** Reads a page that is probably full with its total. */
  async #readFull(page: BoundStatement, counted: CountedPage, version: number | null): Promise<Page> {
    const both = await this.#readBoth(page, counted, version)
    const total = this.#totalOf(both.rows, counted)
    if (total === null) return both
    both.awaited?.wait.leave()
    return pageOf(both.rows, total)
  }

  /** Adds the total to a page: from the page itself if it is not full, from the cache, or by a count. */
  #addTotal(rows: Rows, counted: CountedPage): Maybe<Page> {
    const { session, parsed, compiled, count, bound, isShared } = counted
    const total = this.#totalOf(rows, counted)
    if (total !== null) return pageOf(rows, total)
    // Looked up after the entries have been read: an earlier total may be older than they are.
    const cached = this.#remembered.recall(session, bound)
    if (cached.total !== null) return pageOf(rows, cached.total)
    const run = isShared ? this.#shared.begin(bound.totalKey) : null
    if (isShared && run === null) return { rows, total: null, awaited: this.#await(counted) }
    const { version } = cached
    const counting = this.#countFor(run, { session, compiled, count, bound, version, isDeep: isDeep(parsed) })
    return counting.then(value => pageOf(rows, value))
  }

  /** Returns the total that follows from a page which is not full; null if it is full or empty. */
  #totalOf({ length }: Rows, { parsed, total, bound }: CountedPage): number | null {
    const { pagination } = parsed
    if (pagination !== null && length > 0 && length < pagination.limit) {
      this.#fullPages.delete(total)
      const end = pagination.start + length
      if (isDeep(parsed)) this.#remembered.addUncounted(bound, end)
      return end
    }
    this.#fullPages.add(total)
    return null
  }

  /**
   * Returns the total for which a request waited; it is counted on a connection from `read` if this request is to
   * count.
   */
  async #settle(
    { compiled, count, bound, wait }: AwaitedTotal,
    read: (work: (session: Session) => Promise<number>) => Maybe<number>,
  ): Promise<number> {
    const outcome = await wait.outcome
    if (typeof outcome === 'number') return outcome
    let isBegun = false
    try {
      return await read(session => {
        isBegun = true
        return this.#countFor(outcome, { session, compiled, count, bound, version: this.#database.version(session) })
      })
    } finally {
      if (!isBegun && outcome !== null) this.#shared.end(outcome, null)
    }
  }

  #await({ compiled, count, bound }: Pick<CountJob, 'compiled' | 'count' | 'bound'>): AwaitedTotal {
    return { compiled, count, bound, wait: this.#shared.wait(bound.totalKey) }
  }

  /** Reads the page and its total in one round trip; or only the page, if another request counts. */
  async #readBoth(page: BoundStatement, counted: CountedPage, version: number | null): Promise<Page> {
    const { session, parsed, compiled, count, bound, isShared, endsSnapshot } = counted
    const run = isShared ? this.#shared.begin(bound.totalKey) : null
    if (isShared && run === null) return this.#readBeside(page, session, this.#await(counted))
    try {
      const counting = { session, compiled, count, bound, version, isDeep: isDeep(parsed) }
      const [rows, number] = await this.#readCounted(page, counting, endsSnapshot)
      return pageOf(rows, this.#remembered.add(counting, number))
    } finally {
      if (run !== null) this.#shared.end(run, null)
    }
  }

  /** Reads the rows of a page, and those of the count: with the page if that costs less. */
  async #readCounted(page: BoundStatement, counting: CountJob, endsSnapshot: boolean): Promise<readonly [Rows, Rows]> {
    const { session, compiled, count, bound } = counting
    const counted = this.#remembered.countedOf(compiled)
    if (counted === null) return (await session.batch([page, count], endsSnapshot)) as [Rows, Rows]
    const { statement, total } = counted
    const countedPage = { text: statement.text, values: bound.counted! }
    if (total !== null) {
      const totalAfter = { text: total, values: noValues, alone: count }
      return (await session.batch([countedPage, totalAfter], endsSnapshot)) as [Rows, Rows]
    }
    const rows = await session.all(countedPage.text, countedPage.values)
    // Beyond the last page, no row holds the total.
    if (rows.length === 0) return [rows, await session.all(count.text, count.values)]
    const totals = rows.map(row => [row.pop()])
    return [rows, totals]
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
  async #countFor(run: Run | null, counting: CountJob): Promise<number> {
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

  async #count(counting: CountJob): Promise<number> {
    const { session, count } = counting
    return this.#remembered.add(counting, await session.all(count.text, count.values))
  }
}

function pageOf(rows: Rows, total: number | null): Page {
  return { rows, total, awaited: null }
}

/** Runs a statement and passes its rows on, at once if they are there at once. */
function withRows<T>(session: Session, { text, values }: BoundStatement, use: (rows: Rows) => Maybe<T>): Maybe<T> {
  const rows = session.all(text, values)
  return rows instanceof Promise ? rows.then(use) : use(rows)
}
