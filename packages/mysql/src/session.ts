// A session on a mysql2 connection. On MariaDB, statements whose result is not awaited are sent with the next
// statement, and a batch takes one round trip.

import {
  type Bound,
  type BoundStatement,
  type Change,
  type DriverSession,
  isLost,
  type Maybe,
  note,
  type Rows,
  type StatementListener,
  type StatementObserver,
} from '@plinth/kernel/database'
import { ServerUsage } from '@plinth/sql-servers'
import type { Connection, ResultSetHeader } from 'mysql2'
import {
  type Block,
  type Blocks,
  beginStep,
  commitStep,
  rowsOf,
  type Steps,
  snapshotEnd,
  snapshotSteps,
} from './blocks.ts'
import { endsTransaction, mysqlErrors } from './errors.ts'
import { NamedLocks } from './named-locks.ts'
import { factsOf } from './texts.ts'
import { Wire } from './wire.ts'

/** The maximum number of statements that are queued for the next one. */
const maxSteps = 16

const none: readonly BoundStatement[] = []

const noValues: readonly Bound[] = []

/**
 * Not beginStep, which is queued until the first statement: the level applies to the next transaction of the
 * connection.
 */
const levelStep: BoundStatement = { text: 'SET TRANSACTION ISOLATION LEVEL SERIALIZABLE', values: noValues }
const startStep: BoundStatement = { text: 'START TRANSACTION', values: noValues }

/** The settings of a session. */
export interface MysqlSessionSettings {
  /** The number of statements that the server keeps prepared for the connection. */
  readonly maxPrepared: number
  /** True if the statements of one read see one state. */
  readonly takesSnapshots: boolean
}

/** A session on a mysql2 connection. */
export class MysqlSession implements DriverSession {
  readonly connection: Connection
  readonly #blocks: Blocks
  readonly #wire: Wire
  readonly errors = mysqlErrors
  readonly inTransaction = true
  readonly countsBytes = true
  readonly usage = new ServerUsage()
  listener: StatementListener = null
  #unsent: BoundStatement[] = []
  #isWithin = false
  readonly canSnapshot: boolean
  /** A read has begun a snapshot, which is open. */
  #hasSnapshot = false
  #lost: unknown = null
  /** A queued statement failed with this error: only a rollback of the transaction or to its savepoint is possible. */
  #failed: unknown = null
  readonly #named = new NamedLocks(this)
  /** The running statement of a transaction; null if none runs. */
  #running: Promise<unknown> | null = null

  constructor(connection: Connection, blocks: Blocks, { maxPrepared, takesSnapshots }: MysqlSessionSettings) {
    this.connection = connection
    this.canSnapshot = takesSnapshots
    this.#blocks = blocks
    const onError = (error: unknown) => {
      note(error, mysqlErrors)
      if (endsTransaction(error)) this.failTransaction(error)
    }
    this.#wire = new Wire(connection, { usage: this.usage, maxPrepared, onError })
  }

  get observer(): StatementObserver | null {
    return this.usage.observer
  }

  set observer(observer: StatementObserver | null) {
    this.usage.observer = observer
  }

  get canBatch(): boolean {
    return this.#blocks.areKnown
  }

  begin(serializable: boolean): Maybe<unknown> {
    if (serializable) return this.#beginSerializable()
    if (this.listener !== null) this.listener(beginStep.text)
    if (!this.canBatch) return this.#submitAlone(this.#take(), beginStep)
    this.#isWithin = true
    this.#unsent.push(beginStep)
    return undefined
  }

  async #beginSerializable(): Promise<void> {
    for (const step of [levelStep, startStep]) await this.#submitAlone(this.#takeBefore(step.text), step)
  }

  async commit(): Promise<void> {
    await this.#submitAlone(this.#takeBefore(commitStep.text), commitStep)
  }

  /** Rolls back. Queued statements are dropped, sometimes even the transaction's BEGIN. */
  async rollback(): Promise<void> {
    const unsent = this.#takeBefore('ROLLBACK')
    const isUnbegun = unsent[0] === beginStep || unsent[0] === snapshotSteps[0]
    if (!isUnbegun) return this.#queue(() => this.#startRollback())
    this.#lost = null
    this.#failed = null
    this.#isWithin = false
  }

  async savepoint(name: string): Promise<void> {
    await this.run(`SAVEPOINT ${name}`, noValues)
  }

  async releaseSavepoint(name: string): Promise<void> {
    await this.run(`RELEASE SAVEPOINT ${name}`, noValues)
  }

  async rollbackTo(name: string): Promise<void> {
    const text = `ROLLBACK TO SAVEPOINT ${name}`
    this.#takeBefore(text)
    await this.#queue(() => this.#startRollbackTo(text))
  }

  async all(text: string, values: readonly Bound[]): Promise<Rows> {
    return (await this.#submitOne(text, values, true)) as Rows
  }

  async batch(last: readonly BoundStatement[], endsSnapshot = false): Promise<Rows[]> {
    if (this.listener !== null) for (const { text } of last) this.listener(text)
    const rowSetCount = last.length
    if (rowSetCount === 0) return []
    if (!endsSnapshot || !this.#hasSnapshot)
      return (await this.#submit({ unsent: this.#take(), last, end: null, rowSetCount })) as Rows[]
    if (this.listener !== null) this.listener(snapshotEnd.text)
    const rows = await this.#submit({ unsent: this.#take(), last, end: snapshotEnd, rowSetCount })
    this.#isWithin = false
    this.#hasSnapshot = false
    return rows as Rows[]
  }

  /** The statements that begin it are sent with the next one. */
  beginSnapshot(): void {
    if (this.#hasSnapshot) return
    this.#isWithin = true
    this.#hasSnapshot = true
    for (const step of snapshotSteps) {
      if (this.listener !== null) this.listener(step.text)
      this.#unsent.push(step)
    }
  }

  /** Its end was not sent with the last statements: one has failed, or they were not known to be the last. */
  endSnapshot(): Promise<void> | undefined {
    if (!this.#hasSnapshot) return undefined
    this.#hasSnapshot = false
    return this.rollback()
  }

  async run(text: string, values: readonly Bound[]): Promise<Change> {
    const { affectedRows, insertId } = (await this.#submitOne(text, values, false)) as ResultSetHeader
    return { changes: affectedRows ?? 0, id: Number(insertId ?? 0) }
  }

  enqueue(text: string, values: readonly Bound[]): Maybe<unknown> {
    const step = { text, values }
    if (!this.#isWithin || !this.canBatch || !factsOf(text).mayWait)
      return this.#submitAlone(this.#takeBefore(text), step)
    if (this.listener !== null) this.listener(text)
    this.#unsent.push(step)
    return this.#unsent.length < maxSteps ? undefined : this.flush()
  }

  /**
   * Sends queued statements and waits for running ones. Throws if the transaction has failed, so that the next
   * statement, on any path, runs in order and inside the transaction.
   */
  async flush(): Promise<void> {
    const unsent = this.#take()
    if (unsent.length > 0) await this.#submit({ unsent, last: none, end: null, rowSetCount: 0 })
    while (this.#running !== null) await this.#running
    const refusal = this.#lost ?? this.#failed
    if (refusal !== null) throw refusal
  }

  lockNames(names: readonly string[]): Promise<void> {
    return this.#named.lock(names)
  }

  get holdsNames(): boolean {
    return this.#named.areHeld
  }

  unlockNames(): Promise<void> {
    return this.#named.unlock()
  }

  failTransaction(error: unknown): void {
    if (this.#isWithin) this.#lost ??= error
  }

  /** Tells the listener of a statement, and takes the queued ones, which are sent before it. */
  #takeBefore(text: string): readonly BoundStatement[] {
    if (this.listener !== null) this.listener(text)
    return this.#take()
  }

  #take(): readonly BoundStatement[] {
    const steps = this.#unsent
    if (steps.length === 0) return none
    this.#unsent = []
    return steps
  }

  /** Runs the queued statements, then this one, and returns its result. */
  #submitOne(text: string, values: readonly Bound[], isRead: boolean): Promise<unknown> {
    const unsent = this.#takeBefore(text)
    const last = { text, values }
    // Outside of a transaction, as most statements are, nothing is queued and nothing needs to be waited for.
    if (!this.#isWithin && unsent.length === 0) return this.#start(last, isRead)
    return this.#submit({ unsent, last: [last], end: null, rowSetCount: isRead ? 1 : 0 }).then(firstOf)
  }

  /** Runs the queued statements, then one without rows. */
  #submitAlone(unsent: readonly BoundStatement[], step: BoundStatement): Promise<readonly unknown[]> {
    return this.#submit({ unsent, last: [step], end: null, rowSetCount: 0 })
  }

  /** Runs the queued statements, then the last ones and the end of a snapshot. Returns the result of each of the last. */
  #submit(steps: Steps): Promise<readonly unknown[]> {
    return this.#queue(() => this.#startAll(steps))
  }

  /**
   * In a transaction, statements run one after the other: if one ends the transaction, the next must not have been
   * sent.
   */
  #queue<T>(start: () => Promise<T>): Promise<T> {
    if (!this.#isWithin) return start()
    const result = this.#running === null ? start() : this.#running.then(start)
    const end = () => {
      if (this.#running === ended) this.#running = null
    }
    const ended: Promise<void> = result.then(end, end)
    this.#running = ended
    return result
  }

  async #startAll(steps: Steps): Promise<readonly unknown[]> {
    const { unsent, last, end, rowSetCount } = steps
    const isRead = rowSetCount > 0
    if (unsent.length === 0 && last.length === 1 && end === null) return [await this.#start(last[0]!, isRead)]
    const block = this.#blocks.join(steps)
    let begun = unsent.length === 0
    try {
      if (block !== null) return await this.#startBlock(block, last, rowSetCount)
      for (const step of unsent) {
        await this.#start(step, false)
        begun = true
      }
      const results: unknown[] = []
      for (const step of last) results.push(await this.#start(step.alone ?? step, isRead))
      if (end !== null) await this.#start(end, false)
      return results
    } catch (error) {
      await this.#settle(unsent, begun, error)
      const cleaning = last.find(step => factsOf(step.text).isCleaning)
      if (cleaning !== undefined) await this.#start(cleaning, isRead)
      throw error
    }
  }

  async #startBlock(block: Block, last: readonly BoundStatement[], rowSetCount: number): Promise<readonly unknown[]> {
    const refusal = this.#lost ?? this.#failed ?? this.usage.refusal
    if (refusal !== null) throw refusal
    if (last[0] === commitStep) this.#end()
    const result = await this.#wire.execute(block)
    return rowSetCount > 0 ? rowsOf(result, rowSetCount) : [result]
  }

  /**
   * After a block failed, it is unknown which steps were done, even whether BEGIN was if the server could not parse the
   * block. But if only BEGIN was queued, the failed statement was the caller's, and the transaction goes on.
   */
  async #settle(unsent: readonly BoundStatement[], begun: boolean, error: unknown): Promise<void> {
    if (!this.#isWithin || this.#lost !== null || unsent.length === 0) return
    const isFirst = unsent.length === 1 && unsent[0] === beginStep
    if (!isFirst || isLost(error)) this.#failed ??= error
    else if (!begun)
      await this.#start(unsent[0]!, false).catch((again: unknown) => {
        this.#failed = again
      })
  }

  #start(step: BoundStatement, isRead: boolean): Promise<unknown> {
    if (this.usage.refusal !== null) return Promise.reject(this.usage.refusal)
    const { text, values } = step
    const refusal = this.#lost ?? this.#failed
    if (refusal !== null && !factsOf(text).isCleaning) return Promise.reject(refusal)
    if (step === beginStep || step === startStep) this.#isWithin = true
    else if (step === commitStep) this.#end()
    if (!isRead && factsOf(text).isUnprepared) return this.#wire.ask(text)
    return this.#wire.run(text, values)
  }

  async #startRollback(): Promise<void> {
    if (this.usage.refusal !== null) throw this.usage.refusal
    this.#failed = null
    this.#lost = null
    this.#isWithin = false
    await this.#wire.ask('ROLLBACK')
  }

  async #startRollbackTo(text: string): Promise<void> {
    const refusal = this.usage.refusal ?? this.#lost
    if (refusal !== null) throw refusal
    this.#failed = null
    await this.#wire.ask(text)
  }

  /** Called when COMMIT is sent. */
  #end(): void {
    this.#isWithin = false
    this.usage.isCommitting = true
  }
}

function firstOf(results: readonly unknown[]): unknown {
  return results[0]
}
