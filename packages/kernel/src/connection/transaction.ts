// A running transaction or a savepoint of one: a write that fails inside kernel.transaction rolls back its own changes
// only. The savepoints of one transaction run one after the other, even if their callers run concurrently.

import type { Knex } from 'knex'
import { UsageError } from '../errors.ts'
import type { Bound } from '../sql/dialect.ts'
import { collides } from './clash.ts'
import type { DriverSession } from './connection-driver.ts'
import { knexOn, watchQueries } from './knex-internals.ts'
import { note } from './meaning.ts'
import { isTransient } from './retry.ts'
import type { BoundStatement, Change, Maybe, Rows, Session, Transaction } from './session.ts'
import { SessionWatch } from './session-watch.ts'

/** Work for after COMMIT; `item` is passed together with those of other calls with the same function. */
interface After {
  readonly fn: (items: readonly never[]) => unknown
  readonly item: unknown
}

const nothing: readonly (() => unknown)[] = []

const ended = 'The transaction has ended; await all of its work inside its callback'

/** A transaction on one connection. */
export class RunningTransaction implements Transaction {
  readonly #session: DriverSession
  readonly #source: Knex
  readonly #depth: number
  /** The outermost transaction, or this one. */
  readonly #whole: RunningTransaction
  #ends: (() => void)[] | null = null
  #after: After[] = []
  /** The last savepoint; null as long as none has begun. */
  #savepoints: Promise<unknown> | null = null
  #knex: Knex | null = null
  /**
   * True if code has used `knex`: its own transactions send their statements directly, so no statement may stay queued.
   */
  #isShared = false
  /** False once it has ended: code that outlives its callback runs outside it. */
  isOpen = true

  /** True if no transaction was begun. If so, the savepoints of the first level are transactions. */
  readonly #isUnbegun: boolean

  constructor(knex: Knex, session: DriverSession, outer: RunningTransaction | null = null, isUnbegun = false) {
    this.#isUnbegun = isUnbegun
    this.#source = knex
    this.#session = session
    this.#whole = outer === null ? this : outer.#whole
    this.#depth = outer === null ? 0 : outer.#depth + 1
  }

  /** The connection, which belongs to other work once the transaction has ended. */
  get #open(): DriverSession {
    if (!this.#whole.isOpen) throw new UsageError('PLINTH_TRANSACTION_ENDED', ended)
    return this.#session
  }

  all(text: string, values: readonly Bound[]): Maybe<Rows> {
    return this.#open.all(text, values)
  }

  get canBatch(): boolean {
    return this.#session.canBatch
  }

  batch(steps: readonly BoundStatement[]): Maybe<Rows[]> {
    return this.#open.batch(steps)
  }

  /** Runs a read that must be short, on databases that read on the event loop. */
  brief<T>(work: (session: Session) => Maybe<T>): Maybe<T> {
    const session = this.#open
    return session.brief === undefined ? work(this) : session.brief(async () => work(this))
  }

  run(text: string, values: readonly Bound[]): Maybe<Change> {
    return this.#open.run(text, values)
  }

  enqueue(text: string, values: readonly Bound[]): Maybe<unknown> {
    const sent = this.#open.enqueue(text, values)
    return this.#whole.#isShared ? this.#arrive(sent) : sent
  }

  async #arrive(sent: Maybe<unknown>): Promise<void> {
    await sent
    await this.flush()
  }

  flush(): Maybe<void> {
    return this.#open.flush()
  }

  lockNames(names: readonly string[]): Maybe<void> {
    const session = this.#open
    return names.length === 0 ? undefined : session.lockNames([...names].sort())
  }

  afterEnd(fn: () => void): void {
    const whole = this.#whole
    whole.#ends ??= []
    whole.#ends.push(fn)
  }

  /** Calls the functions passed to afterEnd(). */
  end(): void {
    if (this.#isShared) watchQueries(this.#session.connection, null)
    const ends = this.#ends
    if (ends === null) return
    this.#ends = null
    for (const fn of ends) fn()
  }

  afterCommit<Item>(fn: (items: readonly Item[]) => unknown, item?: Item): void {
    this.#after.push({ fn: fn as After['fn'], item })
  }

  /** The functions to call after COMMIT: each once, with all its items. */
  get after(): readonly (() => unknown)[] {
    return this.#after.length === 0 ? nothing : this.#gatherAfter()
  }

  #gatherAfter(): (() => unknown)[] {
    const items = new Map<After['fn'], unknown[]>()
    for (const { fn, item } of this.#after) {
      const itemsOfFn = items.get(fn)
      if (itemsOfFn === undefined) items.set(fn, [item])
      else itemsOfFn.push(item)
    }
    return [...items].map(
      ([fn, list]) =>
        () =>
          fn(list as never[]),
    )
  }

  /**
   * Runs `enter` in a savepoint, which can fail alone. `merges`: its work for after COMMIT is added to the outer
   * transaction's.
   */
  savepoint<T>(enter: (nested: RunningTransaction) => Promise<T>, merges = true): Promise<T> {
    const turn = (this.#savepoints ?? Promise.resolve()).then(() => this.#runSavepoint(enter, merges))
    this.#savepoints = turn.catch(() => {})
    return turn
  }

  /**
   * Runs `work` in a savepoint, without a transaction object of its own. Nothing else may run in the transaction
   * meanwhile.
   */
  async guard<T>(work: () => Promise<T>): Promise<T> {
    await this.#session.savepoint('plinth')
    try {
      const result = await work()
      await collides(() => this.#session.releaseSavepoint('plinth'))
      return result
    } catch (error) {
      note(error, this.#session.errors)
      await this.#takeBack('plinth')
      throw error
    }
  }

  /** True if savepoints have begun, which may still run. */
  get hasSavepoints(): boolean {
    return this.#savepoints !== null
  }

  /**
   * Waits for running savepoints, also those that no caller awaits: they belong to the transaction that is committed.
   */
  async waitForSavepoints(): Promise<void> {
    for (let lastSavepoint: Promise<unknown> | null = null; lastSavepoint !== this.#savepoints; ) {
      lastSavepoint = this.#savepoints
      await lastSavepoint
    }
  }

  async #runSavepoint<T>(enter: (nested: RunningTransaction) => Promise<T>, merges: boolean): Promise<T> {
    if (!this.isOpen) throw new UsageError('PLINTH_TRANSACTION_ENDED', ended)
    const nested = new RunningTransaction(this.#source, this.#session, this)
    const name = `plinth_${nested.#depth}`
    await (this.#isUnbegun ? this.#session.begin(false) : this.#session.savepoint(name))
    try {
      const result = await enter(nested)
      await nested.waitForSavepoints()
      await collides(() => (this.#isUnbegun ? this.#session.commit() : this.#session.releaseSavepoint(name)))
      if (merges) this.#after.push(...nested.#after)
      return result
    } catch (error) {
      note(error, this.#session.errors)
      // Code that still runs in the savepoint ends before the rollback.
      nested.isOpen = false
      await nested.waitForSavepoints()
      await this.#takeBack(this.#isUnbegun ? null : name)
      throw error
    } finally {
      nested.isOpen = false
    }
  }

  /** Rolls back the savepoint `name`; null rolls back a whole transaction. */
  async #takeBack(name: string | null): Promise<void> {
    if (!this.#session.inTransaction) return
    try {
      if (name === null) return void (await this.#session.rollback())
      await this.#session.rollbackTo(name)
      await this.#session.releaseSavepoint(name)
    } catch (error) {
      // A deadlock or a lost connection has rolled back the whole transaction, as the savepoint's own error says.
      this.#session.failTransaction(error)
    }
  }

  /** A copy of knex on this connection, created at the first use. */
  get knex(): Knex {
    const whole = this.#whole
    if (!whole.#isShared) watchQueries(this.#session.connection, this.#watch())
    whole.#isShared = true
    this.#knex ??= knexOn(this.#source, async () => {
      await this.flush()
      return this.#session.connection
    })
    return this.#knex
  }

  /** For queries of knex, which uses the connection directly. Their errors stay those of the driver until the end. */
  #watch(): SessionWatch {
    const mapError = (error: unknown) => {
      if (isTransient(error)) this.#session.failTransaction(error)
      return error
    }
    return new SessionWatch(this.#session, { isObserved: true, mapError })
  }
}
