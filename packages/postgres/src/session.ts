// A session on a pg connection: named statements are prepared once per connection. The server returns values as text,
// which the dialect's codecs decode.

import { createHash, hash } from 'node:crypto'
import {
  type Bound,
  type BoundStatement,
  type Change,
  type DriverSession,
  isTransient,
  note,
  type Rows,
  type StatementListener,
  type StatementObserver,
  UsageError,
} from '@plinth/kernel/database'
import { ServerUsage } from '@plinth/sql-servers'
import type { Client } from 'pg'
import { isAborted, postgresErrors } from './errors.ts'
import type { Openings } from './settings.ts'
import { type BoundPrepared, type Outcome, PreparedStatement, StatementRun } from './statement.ts'

/** The settings that the sessions of a driver have in common. The start settles it when it knows how the server is reached. */
export interface SessionMode {
  /** True if statements are prepared by name, once per connection; otherwise they are unnamed, for one use each. */
  isNamed: boolean
  openings: Openings
  /** True if the statements of one read see one state. */
  readonly takesSnapshots: boolean
}

/** The maximum number of statements that a connection keeps prepared. */
const maxPrepared = 1000
/** The maximum number of characters of their texts; the server needs several times as much memory. */
const maxLetters = 1024 * 1024

const none: readonly Bound[] = []
const noSteps: readonly BoundStatement[] = []
const commitStep: BoundStatement = { text: 'COMMIT', values: none }
const rollbackStep: BoundStatement = { text: 'ROLLBACK', values: none }

/** The statement that begins a transaction whose reads all see one state, and which locks nothing. */
export const snapshotText = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'

/** A session on a pg connection. Statements whose result is not awaited are sent with the next awaited statement. */
export class PostgresSession implements DriverSession {
  readonly connection: Client
  readonly #mode: SessionMode
  readonly #statements = new Map<string, PreparedStatement>()
  /** The number of characters of their texts. */
  #letters = 0
  /** Names of prepared statements that are not used any more and are to be closed. */
  #retired: string[] = []
  /** True if the server may still keep statements that are not in the map. */
  #hasRetired = false
  #unsent: BoundPrepared[] = []
  #isWithin = false
  /** BEGIN was not sent yet. */
  #isUnbegun = false
  /** A read has begun a snapshot, which is open. */
  #hasSnapshot = false
  #lost: unknown = null
  readonly errors = postgresErrors
  readonly inTransaction = true
  readonly canBatch = true
  readonly countsBytes = true
  readonly holdsNames = false
  readonly usage = new ServerUsage()
  listener: StatementListener = null

  constructor(connection: Client, mode: SessionMode) {
    this.connection = connection
    this.#mode = mode
  }

  get observer(): StatementObserver | null {
    return this.usage.observer
  }

  set observer(observer: StatementObserver | null) {
    this.usage.observer = observer
  }

  async all(text: string, values: readonly Bound[]): Promise<Rows> {
    return (await this.#run([{ text, values }])).rows[0]!
  }

  async batch(steps: readonly BoundStatement[], endsSnapshot = false): Promise<Rows[]> {
    if (steps.length === 0) return []
    if (!endsSnapshot || !this.#hasSnapshot) return (await this.#run(steps)).rows
    const { rows } = await this.#run(steps, [commitStep])
    this.#isWithin = false
    this.#hasSnapshot = false
    return rows
  }

  get canSnapshot(): boolean {
    return this.#mode.takesSnapshots
  }

  /** BEGIN is sent with the next statement. */
  beginSnapshot(): void {
    if (this.#hasSnapshot) return
    this.#hasSnapshot = true
    this.#beginBy(snapshotText)
  }

  /** Its end was not sent with the last statements: one has failed, or they were not known to be the last. */
  endSnapshot(): Promise<void> | undefined {
    if (!this.#hasSnapshot) return undefined
    this.#hasSnapshot = false
    return this.rollback()
  }

  /** BEGIN is sent with the next statement. */
  begin(serializable: boolean): void {
    this.#beginBy(serializable ? 'BEGIN ISOLATION LEVEL SERIALIZABLE' : 'BEGIN')
  }

  #beginBy(text: string): void {
    this.#isWithin = true
    this.#isUnbegun = true
    this.enqueue(text, none)
    const opening = this.#opening
    if (opening !== null) this.#unsent.push(opening)
  }

  /** The statement that sets what holds until the end of a transaction; null if the connection has all settings. */
  get #opening(): BoundPrepared | null {
    const { limited, unlimited } = this.#mode.openings
    const text = this.usage.isUnlimited ? unlimited : limited
    return text === null ? null : { statement: this.#statementOf(text), values: none }
  }

  async commit(): Promise<void> {
    this.usage.isCommitting = true
    const { tag } = await this.#run([commitStep])
    this.#isWithin = false
    // The server treats COMMIT as ROLLBACK if a statement failed before, even if the code handled the error.
    if (tag !== 'COMMIT')
      throw new UsageError(
        'PLINTH_TRANSACTION_FAILED',
        'A statement of the transaction failed before its COMMIT, so it was rolled back',
      )
  }

  /** Rolls back. Queued statements are dropped, sometimes even the transaction's BEGIN. */
  async rollback(): Promise<void> {
    this.#lost = null
    const isUnbegun = this.#isUnbegun
    this.#take()
    if (!isUnbegun) await this.#run([rollbackStep])
    this.#isWithin = false
  }

  async savepoint(name: string): Promise<void> {
    await this.#run([{ text: `SAVEPOINT ${name}`, values: none }])
  }

  async releaseSavepoint(name: string): Promise<void> {
    await this.#run([{ text: `RELEASE SAVEPOINT ${name}`, values: none }])
  }

  async rollbackTo(name: string): Promise<void> {
    this.#lost = null
    this.#take()
    await this.#run([{ text: `ROLLBACK TO SAVEPOINT ${name}`, values: none }])
  }

  async run(text: string, values: readonly Bound[]): Promise<Change> {
    const { rows, tag } = await this.#run([{ text, values }])
    return { changes: Number(tag.slice(tag.lastIndexOf(' ') + 1)) || 0, id: Number(rows[0]?.[0]?.[0] ?? 0) }
  }

  enqueue(text: string, values: readonly Bound[]): void {
    if (this.listener !== null) this.listener(text)
    this.#unsent.push({ statement: this.#statementOf(text), values })
  }

  async flush(): Promise<void> {
    if (this.#lost !== null) throw this.#lost
    if (this.#unsent.length > 0) await this.#submit(this.#take(), 0)
  }

  /** The server's locks have numbers as names: 64 bits of a hash of each name. */
  async lockNames(names: readonly string[]): Promise<void> {
    const text = 'SELECT pg_advisory_xact_lock(k) FROM unnest(CAST($1 AS bigint[])) k'
    const keys = names.map(name => createHash('sha1').update(`plinth ${name}`).digest().readBigInt64BE())
    await this.all(text, [keys])
  }

  /** The locks end with the transaction. */
  unlockNames(): void {}

  failTransaction(error: unknown): void {
    if (this.#isWithin) this.#lost ??= error
  }

  /** Lets the server forget the prepared statements of this session. */
  async forget(): Promise<void> {
    this.#retireAll()
    if (this.#retired.length > 0) await this.#submit([], 0)
  }

  #take(): BoundPrepared[] {
    const steps = this.#unsent
    this.#unsent = []
    this.#isUnbegun = false
    return steps
  }

  /** Runs the queued statements, then these and those of `end`. Returns the rows of these. */
  #run(steps: readonly BoundStatement[], end = noSteps): Promise<Outcome> {
    const prepared = this.#take()
    for (const step of steps) prepared.push(this.#prepare(step))
    for (const step of end) prepared.push(this.#prepare(step))
    return this.#submit(prepared, steps.length, end.length)
  }

  #prepare({ text, values }: BoundStatement): BoundPrepared {
    if (this.listener !== null) this.listener(text)
    return { statement: this.#statementOf(text), values }
  }

  /** `rowSteps`: the number of statements that return rows; `ending`: the number of those after them. */
  #submit(sent: readonly BoundPrepared[], rowSteps: number, ending = 0): Promise<Outcome> {
    const refusal = this.#lost ?? this.usage.refusal
    if (refusal !== null) return Promise.reject(refusal)
    // Outside a transaction, the statements of a run are one.
    const opening = this.#isWithin ? null : this.#opening
    const steps = opening === null ? sent : [opening, ...sent]
    return new Promise((resolve, reject) => {
      const observer = this.usage.begin()
      const retired = this.#retired
      if (retired.length > 0) this.#retired = []
      const run = new StatementRun({ retired, steps, rowSteps, ending }, (error, outcome) => {
        this.usage.end(observer)
        if (error === null) return resolve(outcome)
        note(error, postgresErrors)
        // Later statements fail with the same error: a conflict can be retried, but the server only reports that the
        // transaction is aborted.
        if (isTransient(error)) this.failTransaction(error)
        reject(isAborted(error) ? afterFailure(error) : (error as Error))
      })
      this.connection.query(run)
    })
  }

  #statementOf(text: string): PreparedStatement {
    const earlier = this.#statements.get(text)
    if (earlier !== undefined) return earlier
    if (!this.#mode.isNamed || text.length > maxLetters) return new PreparedStatement(text, '')
    if (this.#statements.size >= maxPrepared || this.#letters + text.length > maxLetters) this.#retireAll()
    const statement = new PreparedStatement(text, nameOf(text))
    // If a statement of this name could not be closed, it is closed before it is prepared again.
    if (this.#hasRetired) statement.prepared = 'maybe'
    this.#statements.set(text, statement)
    this.#letters += text.length
    return statement
  }

  /** Statements in use are prepared again: to track which are in use would cost time with each statement. */
  #retireAll(): void {
    for (const statement of this.#statements.values()) {
      const name = statement.retire()
      if (name !== null) this.#retired.push(name)
    }
    this.#hasRetired = true
    this.#statements.clear()
    this.#letters = 0
  }
}

/**
 * The name of a statement follows from its text: where a pooler lets connections share those of the server, a name never
 * means another statement.
 */
function nameOf(text: string): string {
  return `plinth_${hash('sha256', text, 'base64url').slice(0, 22)}`
}

/** The error for a statement after one that failed in the same transaction, if the code ignored that. */
function afterFailure(cause: unknown): UsageError {
  return new UsageError('PLINTH_TRANSACTION_FAILED', 'A statement of the transaction had failed before', { cause })
}
