// Runs a query that is bound: its page with the total, and what is populated below. Counts rows, and counts the bytes
// of rows for the share of the request: a read that has no room for them waits or begins again. Knows no hooks.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from '../connection/database.ts'
import type { BoundStatement, Maybe, Rows, Session } from '../connection/session.ts'
import type { Context } from '../context.ts'
import type { ParsedQuery } from '../query/query.ts'
import type { BoundPlan, ReadResult } from '../result/execution.ts'
import type { Fetch } from '../result/fetch.ts'
import type { NodeRows } from '../result/node-rows.ts'
import { countRows } from '../result/parent-reads.ts'
import { fetchBelow } from '../result/rows.ts'
import { NoRoomError, RowBytes } from '../row-bytes.ts'
import type { RowCount } from '../row-count.ts'
import type { CompiledPlan } from '../sql/compile.ts'
import { bind } from '../sql/statement.ts'
import { pageFromEnd } from './page-from-end.ts'
import type { PageSteps, Totals } from './totals.ts'

/** The objects that run queries. */
export interface RunTools {
  readonly database: Database
  readonly totals: Totals
}

/** The values with which a query runs. */
export interface Bindings {
  readonly parsed: ParsedQuery
  readonly bound: BoundPlan
  readonly context: Context
  readonly rowCount: RowCount
}

/**
 * Runs a query. Rejects with ValidationError if it fetches more rows than callers may, and with UnavailableError if its
 * bytes have no room. Not an async function: each of its frames costs as much as a short read.
 */
export function runBound(
  { database, totals }: RunTools,
  compiled: CompiledPlan,
  bindings: Bindings,
): Promise<ReadResult> {
  const { parsed, bound, context, rowCount } = bindings
  if (rowCount.refusal !== null) return Promise.reject(rowCount.refusal)
  const roomy =
    rowCount.rows === 0
      ? bound
      : { ...bound, entries: bind(compiled.entries, parsed.values, context, null, rowCount.left) }
  return totals.read({ compiled, parsed, bound: roomy }, new BoundRead(database, compiled, bindings))
}

/** The steps of one read: a class, since closures would be made for each read. */
class BoundRead implements PageSteps {
  readonly #database: Database
  readonly #compiled: CompiledPlan
  readonly #bindings: Bindings
  /** Counts the bytes of rows; null if nothing counts them. */
  readonly #bytes: RowBytes | null

  constructor(database: Database, compiled: CompiledPlan, bindings: Bindings) {
    this.#database = database
    this.#compiled = compiled
    this.#bindings = bindings
    const { share } = bindings.context
    this.#bytes = share === undefined || bindings.parsed.query.internal ? null : new RowBytes(share)
  }

  /**
   * Returns whether the read must not take long: the answer of a write is read within its transaction, and a client
   * populates it.
   */
  get #isBrief(): boolean {
    const { parsed, context } = this.#bindings
    const { action, internal } = parsed.query
    const isRead = action === 'find' || action === 'findOne' || action === 'count'
    return !isRead && !internal && context.request !== undefined
  }

  onConnection<T>(work: (session: Session) => Promise<T>, shape: object): Maybe<T> {
    const { isAbandoned } = this.#bindings.context
    const bytes = this.#bytes
    return this.#isBrief
      ? this.#database.readBriefly(work, { isAbandoned, bytes })
      : this.#database.read(work, { isAbandoned, bytes, shape })
  }

  begin(): void {
    this.#bytes?.begin()
  }

  pageFromEnd(list: { readonly total: number; readonly isCounted: boolean }): BoundStatement | null {
    return pageFromEnd(this.#compiled, this.#bindings, list)
  }

  readBelow(session: Session, page: Rows, endsSnapshot: boolean): Maybe<NodeRows> {
    const { parsed, context, rowCount } = this.#bindings
    const bytes = session.countsBytes === true ? null : this.#bytes
    const { values } = parsed
    const entries = page.length
    const fetch = { session, values, context, entries, rowCount, counted: 0, bytes, endsSnapshot }
    return readBelow(fetch, this.#compiled, page)
  }

  async retry<T>(run: () => Maybe<T>, error: unknown): Promise<T> {
    try {
      if (this.#bytes === null) throw error
      return await readAgain(run, { database: this.#database, bytes: this.#bytes, error })
    } catch (last) {
      // A read that was abandoned because another one of its request has exceeded the limit says so, too.
      throw this.#bindings.rowCount.refusal ?? last
    }
  }

  end(): void {
    this.#bytes?.end()
  }
}

/** Counts the rows of a page, and reads what is below them. */
function readBelow(fetch: Fetch, { root }: CompiledPlan, page: Rows): Maybe<NodeRows> {
  try {
    countRows(fetch, page)
    const below = fetchBelow(fetch, root, page)
    return below instanceof Promise ? below.catch(error => takeBack(fetch, error)) : below
  } catch (error) {
    return takeBack(fetch, error)
  }
}

/** Takes back the rows of a read that has failed: it may begin again, in a process of its own. */
function takeBack({ rowCount, counted }: Fetch, error: unknown): never {
  rowCount.remove(counted)
  throw error
}

/** The maximum number of times that a read is begun: others may take the room for which it has waited. */
const maxRuns = 20

/** A read whose bytes are counted, and the error with which its first run has failed. */
interface FailedRead {
  readonly database: Database
  readonly bytes: RowBytes
  readonly error: unknown
}

/**
 * Runs a read again, from its beginning, if it had to wait for room and could not keep its rows. Throws other errors of
 * it, and UnavailableError if there is no room in time.
 */
async function readAgain<T>(read: () => Maybe<T>, { database, bytes, error }: FailedRead): Promise<T> {
  let failure = error
  for (let run = 1; ; run++) {
    const needed = bytes.takeBack()
    if (!(failure instanceof NoRoomError)) throw failure
    // Others may wait for what a transaction has locked.
    if (database.current !== undefined || run === maxRuns) throw bytes.refuse()
    await bytes.room(needed + failure.bytes)
    // The reads of SQLite never pause by themselves.
    await nextTurn()
    try {
      return await read()
    } catch (again) {
      failure = again
    }
  }
}
