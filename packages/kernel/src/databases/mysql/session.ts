// A session on a mysql2 connection. On MariaDB, what nobody waits for goes to the server with the next statement, and what is
// asked together goes together.

import type { Connection, ResultSetHeader } from 'mysql2'
import type { Bound } from '../../sql/dialect.ts'
import { batchesOf } from '../../database/batches.ts'
import { isLost } from '../../database/retry.ts'
import type { Change, Maybe, Rows, StatementListener, Step } from '../../database/session.ts'
import { Usage } from '../../database/usage.ts'
import type { DriverSession } from '../../database/driver.ts'
import { type Block, type Blocks, givesRows, mayWait, rowsOf, tellsChanges } from './blocks.ts'
import { spread, withLiterals } from './lists.ts'

/** Most statements that wait for the next one. */
const mostSteps = 16

/** What no prepared statement may say. */
const isControl = (text: string) => /^(BEGIN$|START TRANSACTION$|COMMIT$|ROLLBACK|SAVEPOINT |RELEASE |SET )/.test(text)

/** After these errors the server has taken back the whole transaction: what follows would be committed alone. */
const endsTransaction = (error: unknown) =>
  /^ER_(LOCK_DEADLOCK|CHECKREAD|LOCK_TABLE_FULL)$/.test(String((error as { code?: unknown }).code))

/** Puts a connection in order, whatever became of the transaction. */
const isCleaning = (text: string) => /^(ROLLBACK$|SET |SELECT RELEASE_LOCK)/.test(text)

/** ER_MAX_PREPARED_STMT_COUNT_REACHED: all connections of everybody together keep too many. */
const isFull = (error: unknown) => (error as { errno?: unknown }).errno === 1461

/** Statements that go as text before this connection asks again. */
const textsInARow = 100

/** mysql2's own cache of a connection's statements. */
function preparedOf(connection: Connection): { resize(most: number): void; clear(): void } {
  return (connection as unknown as { readonly _statements: { resize(most: number): void; clear(): void } })._statements
}

const none: readonly Step[] = []

/** Most locks of one statement. */
const mostNames = 16

/** Seconds to wait for one lock: as long as for a row, which is the configuration's `lockTimeout`. */
const lockPatience = '@@SESSION.innodb_lock_wait_timeout'

/** Names of locks are the server's, not the database's, and at most 64 characters long. */
function lockNamesText(verb: 'GET_LOCK' | 'RELEASE_LOCK', count: number): string {
  const name = `CONCAT('plinth_', MD5(CONCAT(DATABASE(), ' ', ?)))`
  const one = verb === 'GET_LOCK' ? `GET_LOCK(${name}, ${lockPatience})` : `RELEASE_LOCK(${name})`
  return `SELECT ${Array(count).fill(one).join(', ')}`
}

/** Somebody else holds an advisory lock for too long: a conflict like a row lock that is not given. */
class NamedLockError extends Error {
  readonly code = 'ER_LOCK_WAIT_TIMEOUT'
}

export class MysqlSession implements DriverSession {
  readonly connection: Connection
  readonly #blocks: Blocks
  readonly inTransaction = true
  readonly usage = new Usage()
  listener: StatementListener = null
  #unsent: Step[] = []
  #isWithin = false
  #lost: unknown = null
  /** Something sent was not done, because of this error: the transaction, or its part, can only be taken back. */
  #failed: unknown = null
  /** Advisory locks that are held. */
  #named: string[] = []
  /** The statement of a transaction that runs; null where none does. */
  #running: Promise<unknown> | null = null

  /** Statements that go as text, because the server prepares no more. */
  #asText = 0

  /** `mostPrepared`: statements that the server keeps for this connection. */
  constructor(connection: Connection, blocks: Blocks, mostPrepared: number) {
    this.connection = connection
    this.#blocks = blocks
    preparedOf(connection).resize(mostPrepared)
  }

  get joins(): boolean {
    return this.#blocks.areKnown
  }

  async all(text: string, values: readonly Bound[]): Promise<Rows> {
    const unsent = this.#hear(text)
    const [rows] = await this.#submit(unsent, [{ text, values }], givesRows(text))
    return rows as Rows
  }

  async allOf(steps: readonly Step[]): Promise<Rows[]> {
    if (this.listener !== null) for (const { text } of steps) this.listener(text)
    if (steps.length === 0) return []
    const mayJoin = steps.every(step => givesRows(step.text))
    return (await this.#submit(this.#take(), steps, mayJoin)) as Rows[]
  }

  async run(text: string, values: readonly Bound[]): Promise<Change> {
    const unsent = this.#hear(text)
    if (text.startsWith('ROLLBACK')) return this.#takeBack(text, unsent)
    const mayJoin = text === 'COMMIT' || tellsChanges(unsent, text)
    const [result] = await this.#submit(unsent, [{ text, values }], mayJoin)
    const { affectedRows, insertId } = result as ResultSetHeader
    return { changes: affectedRows ?? 0, id: Number(insertId ?? 0) }
  }

  send(text: string, values: readonly Bound[]): Maybe<unknown> {
    const step = { text, values }
    const waits = this.joins && (text === 'BEGIN' || (this.#isWithin && mayWait(step)))
    if (!waits) return this.#submit(this.#hear(text), [step], false)
    if (this.listener !== null) this.listener(text)
    if (text === 'BEGIN') this.#isWithin = true
    this.#unsent.push(step)
    return this.#unsent.length < mostSteps ? undefined : this.flush()
  }

  /** What comes next, by whatever way, comes behind what was asked, and not in a transaction that is none any more. */
  async flush(): Promise<void> {
    const unsent = this.#take()
    if (unsent.length > 0) await this.#submit(unsent, none, false)
    while (this.#running !== null) await this.#running
    const refusal = this.#lost ?? this.#failed
    if (refusal !== null) throw refusal
  }

  async lockNames(names: readonly string[]): Promise<void> {
    for (const part of batchesOf(names, mostNames)) {
      // Noted first: a lock may be held although its answer was lost.
      this.#named.push(...part)
      const [row = []] = await this.all(lockNamesText('GET_LOCK', part.length), part)
      if (row.some(one => Number(one) !== 1)) throw new NamedLockError()
    }
  }

  get holdsNames(): boolean {
    return this.#named.length > 0
  }

  async unlockNames(): Promise<void> {
    const names = this.#named
    this.#named = []
    for (const part of batchesOf(names, mostNames)) await this.all(lockNamesText('RELEASE_LOCK', part.length), part)
  }

  lose(error: unknown): void {
    if (this.#isWithin) this.#lost ??= error
  }

  #hear(text: string): readonly Step[] {
    if (this.listener !== null) this.listener(text)
    return this.#take()
  }

  #take(): readonly Step[] {
    const steps = this.#unsent
    if (steps.length === 0) return none
    this.#unsent = []
    return steps
  }

  /** What is taken back need not be sent, at times not even the transaction's BEGIN. */
  async #takeBack(text: string, unsent: readonly Step[]): Promise<Change> {
    if (unsent[0]?.text === 'BEGIN') {
      this.#lost = null
      this.#failed = null
      this.#isWithin = false
    } else await this.#submit(none, [{ text, values: [] }], false)
    return { changes: 0, id: 0 }
  }

  /**
   * Runs what was not sent yet, then the last steps, and gives what each of those gives. In a transaction one after the other:
   * behind one that ends it, the next must not be on its way already. `mayJoin`: all of it may be one block.
   */
  #submit(unsent: readonly Step[], last: readonly Step[], mayJoin: boolean): Promise<readonly unknown[]> {
    const start = () => this.#startAll(unsent, last, mayJoin)
    if (!this.#isWithin) return start()
    const result = this.#running === null ? start() : this.#running.then(start)
    const end = () => {
      if (this.#running === ended) this.#running = null
    }
    const ended: Promise<void> = result.then(end, end)
    this.#running = ended
    return result
  }

  async #startAll(unsent: readonly Step[], last: readonly Step[], mayJoin: boolean): Promise<readonly unknown[]> {
    if (unsent.length === 0 && last.length === 1) return [await this.#start(last[0]!)]
    const steps = [...unsent, ...last]
    const block = mayJoin ? this.#blocks.join(steps) : null
    let begun = unsent.length === 0
    try {
      if (block !== null) return await this.#startBlock(block, last)
      const results: unknown[] = []
      for (const step of steps) {
        results.push(await this.#start(step))
        begun = true
      }
      return results.slice(unsent.length)
    } catch (error) {
      await this.#settle(unsent, begun, error)
      const cleaning = last.find(step => isCleaning(step.text))
      if (cleaning !== undefined) await this.#start(cleaning)
      throw error
    }
  }

  async #startBlock(block: Block, last: readonly Step[]): Promise<readonly unknown[]> {
    const refusal = this.#lost ?? this.#failed ?? this.usage.refusal
    if (refusal !== null) throw refusal
    const { text } = last.at(-1)!
    if (text === 'COMMIT') this.#end()
    const result = await this.#execute(block)
    return givesRows(text) ? rowsOf(result, last.length) : [result]
  }

  /**
   * Nobody can tell which steps of a block were done, and not even that BEGIN was where the server did not understand it. So much
   * is known: where nothing but BEGIN was sent, the one that failed is its caller's, and the transaction goes on.
   */
  async #settle(unsent: readonly Step[], begun: boolean, error: unknown): Promise<void> {
    if (!this.#isWithin || this.#lost !== null || unsent.length === 0) return
    const isFirst = unsent.length === 1 && unsent[0]!.text === 'BEGIN'
    if (!isFirst || isLost(error)) this.#failed ??= error
    else if (!begun)
      await this.#start(unsent[0]!).catch((again: unknown) => {
        this.#failed = again
      })
  }

  #start({ text, values }: Step): Promise<unknown> {
    if (this.usage.refusal !== null) return Promise.reject(this.usage.refusal)
    const isBack = text.startsWith('ROLLBACK')
    const refusal = this.#lost ?? (isBack ? null : this.#failed)
    if (refusal !== null && !isCleaning(text)) return Promise.reject(refusal)
    if (isBack) this.#failed = null
    if (text === 'ROLLBACK') this.#lost = null
    if (text === 'BEGIN' || text === 'START TRANSACTION') this.#isWithin = true
    if (text === 'ROLLBACK') this.#isWithin = false
    if (text === 'COMMIT') this.#end()
    if (isControl(text))
      return new Promise((resolve, reject) => this.connection.query(text, this.#done(resolve, reject)))
    const { sql, bound, isOnce } = spread(text, values, value => this.connection.escape(value))
    const result = this.#execute({ sql, bound })
    if (!isOnce) return result
    return result.finally(() => this.connection.unprepare({ sql, rowsAsArray: true } as never))
  }

  /** COMMIT is sent. */
  #end(): void {
    this.#isWithin = false
    this.usage.isCommitting = true
  }

  #execute(block: Block): Promise<unknown> {
    if (this.#asText > 0) return this.#sendText(block)
    return this.#prepare(block, () => {
      // This connection's own statements make room, were it only for this one.
      preparedOf(this.connection).clear()
      return this.#prepare(block, () => {
        this.#asText = textsInARow
        return this.#sendText(block)
      })
    })
  }

  /** `other`: what is done where the server prepares no more statements. Nothing was run then. */
  #prepare({ sql, bound }: Block, other: () => Promise<unknown>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const statement = { sql, rowsAsArray: true, values: bound as never[] }
      const fail = (error: unknown) => (isFull(error) ? resolve(other()) : reject(error))
      this.connection.execute(statement, this.#done(resolve, fail) as never)
    })
  }

  /** Values as literals: slower, and needs nothing of the server's. */
  #sendText({ sql, bound }: Block): Promise<unknown> {
    this.#asText--
    const text = withLiterals(sql, bound, value => this.connection.escape(value))
    return new Promise((resolve, reject) => {
      this.connection.query({ sql: text, rowsAsArray: true }, this.#done(resolve, reject) as never)
    })
  }

  #done(resolve: (result: unknown) => void, reject: (error: unknown) => void) {
    this.usage.begun++
    return (error: unknown, result: unknown) => {
      this.usage.ended++
      if (error === null) return resolve(result)
      if (endsTransaction(error)) this.lose(error)
      reject(error)
    }
  }
}
