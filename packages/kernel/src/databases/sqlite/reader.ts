// Runs reads of a SQLite file. A read begins on the event loop, where most take less than a millisecond, and may use a
// few milliseconds there. A longer one runs again, from its beginning, in a reader process.

import { setTimeout as sleep } from 'node:timers/promises'
import type BetterSqlite3 from 'better-sqlite3'
import { LRUCache } from '#lru-cache'
import { UnavailableError } from '../../errors.ts'
import type { Bound } from '../../sql/dialect.ts'
import { listenerFor, type Observers, type StatementObserver } from '../../database/observer.ts'
import type { Maybe, Rows, Session, StatementListener, BoundStatement } from '../../database/session.ts'
import type { Reader } from '../../database/driver.ts'
import { OverdueError } from './clock.ts'
import type { ConnectionSettings } from './connection.ts'
import { RemoteQuestion } from './question.ts'
import { ReaderProcesses } from './processes.ts'
import type { PreparedText } from './prepared.ts'
import { SqliteSession } from './session.ts'
import { TableSizes } from './sizes.ts'
import { LoopTurn } from './turn.ts'
import { isBusy } from './errors.ts'

/** Milliseconds of processor time that the statements of one read may use on the event loop. */
const waitTimeout = 10

/** A statement that took this many times as long, whether it worked or waited, is to run in a process too. */
const maxShares = 5

/** Reads that took longer, in milliseconds, run in a process while quick reads arrive. */
const long = 1.5

/** The remembered time of a read that was not quick decays by this factor, so that the event loop is tried again. */
const fading = 0.98

/** A read whose statements together took at most so many milliseconds does not wait for others. */
const quick = 0.5

/** After so many times in a row, a statement that took too long runs in a process at once. */
const strikes = 2

/** Milliseconds until a statement that took too long is tried on the event loop again while all processes are busy. */
const retryAfter = 10_000

/** A statement that took too long. */
interface Slow {
  /** The number of times in a row. */
  readonly count: number
  /** The last time, as of performance.now(). */
  readonly at: number
}

/** The settings of a reader. */
export interface ReaderSettings extends ConnectionSettings {
  /** Milliseconds that a read may take in a process. */
  readonly statementTimeout: number
}

/** A read that may run again. */
interface Question<T> {
  readonly work: (session: Session) => Maybe<T>
  readonly isAbandoned: (() => boolean) | undefined
  readonly shape: object | undefined
  /** The time until which it may begin, as of performance.now(). */
  readonly deadline: number
}

/** A run of a statement with a time limit. */
interface Run {
  readonly question: LoopQuestion
  readonly began: number
}

/** The reads of one SQLite file. */
export class SqliteReader implements Reader {
  readonly #session: SqliteSession
  #listener: StatementListener = null
  observers: Observers | null = null
  readonly #settings: ReaderSettings
  readonly #processes: ReaderProcesses
  readonly #turn = new LoopTurn()
  readonly #sizes: TableSizes
  /** Statements that took too long, by their text. */
  readonly #slow = new LRUCache<string, Slow>({
    max: 1000,
    maxSize: 2 * 1024 * 1024,
    sizeCalculation: (_, text) => text.length + 1,
    ttl: 60_000,
  })

  /**
   * Milliseconds that the statements of a read took together, by its shape: approximately the maximum of recent reads.
   */
  readonly #times = new WeakMap<object, number>()

  constructor(connection: BetterSqlite3.Database, settings: ReaderSettings) {
    this.#session = new SqliteSession(connection, waitTimeout)
    this.#sizes = new TableSizes(connection)
    this.#settings = settings
    this.#processes = new ReaderProcesses(settings)
  }

  get listener(): StatementListener {
    return this.#listener
  }

  set listener(listener: StatementListener) {
    this.#listener = listener
    this.#session.listener = listener
  }

  read<T>(work: (session: Session) => Maybe<T>, isAbandoned?: () => boolean, shape?: object): Maybe<T> {
    const took = shape === undefined ? undefined : this.#times.get(shape)
    if (took !== undefined && took <= quick) this.#turn.expect()
    else {
      if (took !== undefined) this.#times.set(shape!, took * fading)
      if (took !== undefined && took > long && this.#turn.isShared && this.#processes.isAtHand())
        return this.#readElsewhere(work, isAbandoned)
      if (this.#turn.isOver) return this.#readLater({ work, isAbandoned, shape, deadline: this.#deadline })
    }
    try {
      const result = work(this.#ask(shape))
      if (!(result instanceof Promise)) return result
      return result.catch((error: unknown) =>
        this.#recover(error, { work, isAbandoned, shape, deadline: this.#deadline }),
      )
    } catch (error) {
      return this.#recover(error, { work, isAbandoned, shape, deadline: this.#deadline })
    }
  }

  #ask(shape: object | undefined): LoopQuestion {
    return new LoopQuestion(this, shape, this.observers?.current ?? null)
  }

  /** Lets `observer` observe the next statement: reads of several callers take turns on the one session. */
  #observe(observer: StatementObserver | null): void {
    this.#session.listener = listenerFor(this.#listener, observer)
    this.#session.observer = observer
  }

  /** Records how long the statements of a read have taken. Statements that are not timed are short. */
  #learn({ shape, left }: LoopQuestion): void {
    if (shape === undefined) return
    const took = waitTimeout - left
    const known = this.#times.get(shape)
    if (known === undefined || took > known) this.#times.set(shape, took)
  }

  get #deadline(): number {
    return performance.now() + this.#settings.acquireTimeout
  }

  async #readLater<T>(question: Question<T>): Promise<T> {
    if (this.#turn.isOver) {
      await this.#turn.next()
      if (question.isAbandoned?.() === true) throw new UnavailableError('The client no longer waits for the answer')
      if (performance.now() > question.deadline) throw new UnavailableError('The database is busy')
    }
    try {
      return await question.work(this.#ask(question.shape))
    } catch (error) {
      return this.#recover(error, question)
    }
  }

  /** Handles a read that failed on the event loop. */
  async #recover<T>(error: unknown, question: Question<T>): Promise<T> {
    if (error instanceof OverdueError) return this.#readElsewhere(question.work, question.isAbandoned)
    if (!isBusy(error)) throw error
    if (performance.now() > question.deadline) throw new UnavailableError('The database is busy', { cause: error })
    // Another process is opening or closing the file.
    await sleep(5 + Math.random() * 20)
    return this.#readLater(question)
  }

  async #readElsewhere<T>(work: (session: Session) => Maybe<T>, isAbandoned?: () => boolean): Promise<T> {
    const observer = this.observers?.current ?? null
    return this.#processes.use(async process => {
      // Taken before the read, whose data is at least as new.
      const question = new RemoteQuestion(process, this.#loopVersion(observer), this.#listener, observer)
      const result = await work(question)
      if (question.took < waitTimeout) for (const text of question.texts) this.#slow.delete(text)
      return result
    }, isAbandoned)
  }

  /** Runs a statement on the event loop, within the time that its read has left. Throws OverdueError. */
  all(text: string, values: readonly Bound[], question: LoopQuestion): Rows {
    if (this.observers !== null) this.#observe(question.observer)
    const prepared = this.#session.prepare(text, true)
    if (!prepared.isTimed) {
      this.#learn(question)
      return this.#session.read(prepared, text, values)
    }
    const began = performance.now()
    const { tables } = prepared
    if (tables.length === 0 || !this.#sizes.areSmall(tables, began))
      return this.#runTimed(prepared, text, values, { question, began })
    const { small } = prepared
    if (small.isTimed) return this.#runTimed(small, text, values, { question, began })
    const rows = this.#session.read(small, text, values)
    const took = performance.now() - began
    this.#turn.spend(took)
    question.left -= took
    this.#learn(question)
    return rows
  }

  #runTimed(prepared: PreparedText, text: string, values: readonly Bound[], { question, began }: Run): Rows {
    const known = this.#slow.size === 0 ? undefined : this.#slow.get(text)
    if (question.left <= 0 || (known !== undefined && this.#isElsewhere(known, began))) throw new OverdueError()
    const { clock } = this.#session
    clock.share(began, question.left)
    let isDone = false
    try {
      const rows = this.#session.read(prepared, text, values)
      isDone = true
      return rows
    } finally {
      const took = performance.now() - began
      this.#turn.spend(took)
      question.left -= clock.used(took)
      this.#learn(question)
      if (!isDone || took > waitTimeout * maxShares) this.#slow.set(text, { count: (known?.count ?? 0) + 1, at: began })
      else if (known !== undefined) this.#slow.delete(text)
    }
  }

  /**
   * Whether a statement runs in a process at once. While all processes are busy, it is tried here now and then, because
   * it may have become quick.
   */
  #isElsewhere({ count, at }: Slow, now: number): boolean {
    return count >= strikes && (this.#processes.isFree || now - at < retryAfter)
  }

  version(session: Session): number {
    if (session instanceof RemoteQuestion) return session.version
    return this.#loopVersion(session instanceof LoopQuestion ? session.observer : null)
  }

  #loopVersion(observer: StatementObserver | null): number {
    if (this.observers !== null) this.#observe(observer)
    return this.#session.all('PRAGMA data_version', [])[0]![0] as number
  }

  async close(): Promise<void> {
    await this.#processes.close()
    this.#session.connection.close()
  }
}

/** A read on the event loop, with the time that it has left. */
class LoopQuestion implements Session {
  readonly canBatch = false
  readonly #reader: SqliteReader
  /** The shape of the read: an object that reads of about the same cost share. */
  readonly shape: object | undefined
  readonly observer: StatementObserver | null
  /** Milliseconds of processor time. */
  left = waitTimeout

  constructor(reader: SqliteReader, shape: object | undefined, observer: StatementObserver | null) {
    this.#reader = reader
    this.shape = shape
    this.observer = observer
  }

  all(text: string, values: readonly Bound[]): Rows {
    return this.#reader.all(text, values, this)
  }

  batch(steps: readonly BoundStatement[]): Rows[] {
    return steps.map(({ text, values }) => this.all(text, values))
  }

  run(): never {
    throw new Error('A connection for reads cannot write')
  }

  enqueue(): never {
    throw new Error('A connection for reads cannot write')
  }

  flush(): void {}
}
