// Runs reads of a SQLite file. A read begins on the event loop, where most take less than a millisecond, and may use a
// few milliseconds there. A longer one runs again, from its beginning, in a reader process.

import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Bound,
  bytesOfRows,
  listenerFor,
  type Maybe,
  NoRoomError,
  type Observers,
  type Reading,
  type Rows,
  type Session,
  type StatementListener,
  type StatementObserver,
  TextCache,
  UnavailableError,
} from '@plinth/kernel/database'
import type BetterSqlite3 from 'better-sqlite3'
import { OverdueError } from './clock.ts'
import { isBusy } from './errors.ts'
import { LoopQuestion, waitTimeout } from './loop-question.ts'
import { LoopSnapshots, SnapshotLostError } from './loop-snapshots.ts'
import type { Reader } from './one-writer/reader.ts'
import type { PreparedText } from './prepared.ts'
import { ReaderProcesses } from './processes.ts'
import { RemoteQuestion } from './question.ts'
import type { ReaderSettings } from './reader-settings.ts'
import { SqliteSession } from './session.ts'
import { TableSizes } from './sizes.ts'
import { LoopTurn } from './turn.ts'

/** A statement that took this many times as long, whether it worked or waited, is to run in a process too. */
const maxShares = 5

/** Reads that took longer, in milliseconds, run in a process while quick reads arrive. */
const long = 1.5

/** The remembered time of a read that was not quick decays by this factor, so that the event loop is tried again. */
const fading = 0.98

/** Maximum time of all statements of a read that does not wait for others, in milliseconds. */
const quick = 0.5

/** Number of times in a row after which a statement that took too long runs in a process at once. */
const strikes = 2

/** Minimum size, in bytes, from which the rows of a statement are fetched one by one if they may exceed the memory budget. */
const manyBytes = 64 * 1024

/** Milliseconds until a statement that took too long is tried on the event loop again while all processes are busy. */
const retryAfter = 10_000

/** Number of lost snapshots in a row after which a read runs in a process, where it keeps its snapshot. */
const maxLosses = 3

/** A statement that took too long. */
interface Slow {
  /** The number of times in a row. */
  readonly count: number
  /** The last time, as of performance.now(). */
  readonly at: number
}

/** A read that may run again. */
interface Question<T> {
  readonly work: (session: Session) => Maybe<T>
  readonly reading: Reading
  /** The time until which it may begin, as of performance.now(). */
  readonly deadline: number
  /** The number of times that it has lost its snapshot. */
  losses: number
}

/** A run of a statement with a time limit. */
interface Run {
  readonly question: LoopQuestion
  readonly began: number
}

/** The reads of one SQLite file. */
export class SqliteReader implements Reader {
  readonly #session: SqliteSession
  readonly #snapshots: LoopSnapshots
  readonly takesSnapshots: boolean
  #listener: StatementListener = null
  observers: Observers | null = null
  readonly #settings: ReaderSettings
  readonly #processes: ReaderProcesses
  readonly #turn = new LoopTurn()
  readonly #sizes: TableSizes
  /** Statements that took too long, by their text. */
  readonly #slow = new TextCache<Slow>({
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
    this.#snapshots = new LoopSnapshots(connection)
    this.takesSnapshots = settings.consistentReads
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

  read<T>(work: (session: Session) => Maybe<T>, reading: Reading = {}): Maybe<T> {
    const { shape } = reading
    const took = shape === undefined ? undefined : this.#times.get(shape)
    if (took !== undefined && took <= quick) this.#turn.expect()
    else {
      if (took !== undefined) this.#times.set(shape!, took * fading)
      if (took !== undefined && took > long && this.#turn.isShared && this.#processes.isAtHand())
        return this.#readElsewhere(work, reading)
      if (this.#turn.isOver) return this.#readLater({ work, reading, deadline: this.#deadline, losses: 0 })
    }
    const question = this.#ask(reading)
    const recover = (error: unknown) => {
      this.#snapshots.leave(question)
      return this.#recover(error, { work, reading, deadline: this.#deadline, losses: 0 })
    }
    try {
      const result = work(question)
      if (result instanceof Promise) return result.then(answer => this.#leave(question, answer), recover)
      return this.#leave(question, result)
    } catch (error) {
      return recover(error)
    }
  }

  #leave<T>(question: LoopQuestion, answer: T): T {
    this.#snapshots.leave(question)
    return answer
  }

  #ask(reading: Reading): LoopQuestion {
    return new LoopQuestion(this, reading, this.observers?.current ?? null)
  }

  /** Lets `observer` observe the next statement: reads of several callers take turns on the one session. */
  #observe(observer: StatementObserver | null): void {
    if (this.observers === null) return
    this.#session.listener = listenerFor(this.#listener, observer)
    this.#session.observer = observer
  }

  /** Records how long the statements of a read have taken. Statements that are not timed are short. */
  #learn({ shape, left }: LoopQuestion): void {
    if (shape === undefined) return
    const took = waitTimeout - left
    const longest = this.#times.get(shape)
    if (longest === undefined || took > longest) this.#times.set(shape, took)
  }

  get #deadline(): number {
    return performance.now() + this.#settings.acquireTimeout
  }

  async #readLater<T>(question: Question<T>): Promise<T> {
    if (this.#turn.isOver) {
      await this.#turn.next(question.reading.bytes?.caller, question.reading.shape)
      if (question.reading.isAbandoned?.() === true)
        throw new UnavailableError('The client no longer waits for the answer')
      if (performance.now() > question.deadline)
        throw new UnavailableError('The database is busy', { isOverload: true })
    }
    const loopQuestion = this.#ask(question.reading)
    try {
      return this.#leave(loopQuestion, await question.work(loopQuestion))
    } catch (error) {
      this.#snapshots.leave(loopQuestion)
      return this.#recover(error, question)
    }
  }

  /** Handles a read that failed on the event loop. */
  async #recover<T>(error: unknown, question: Question<T>): Promise<T> {
    if (error instanceof OverdueError) return this.#readElsewhere(question.work, question.reading)
    if (error instanceof SnapshotLostError) {
      if (++question.losses < maxLosses) return this.#readLater(question)
      return this.#readElsewhere(question.work, question.reading)
    }
    if (!isBusy(error)) throw error
    if (performance.now() > question.deadline) throw new UnavailableError('The database is busy', { cause: error })
    // Another process is opening or closing the file.
    await sleep(5 + Math.random() * 20)
    return this.#readLater(question)
  }

  async #readElsewhere<T>(work: (session: Session) => Maybe<T>, { isAbandoned, bytes = null }: Reading): Promise<T> {
    const observer = this.observers?.current ?? null
    return this.#processes.use(async process => {
      // Taken before the read, whose data is at least as new.
      const question = new RemoteQuestion(process, {
        version: this.#loopVersion(observer),
        listener: this.#listener,
        observer,
        bytes,
      })
      const result = await work(question)
      if (question.took < waitTimeout) for (const text of question.texts) this.#slow.delete(text)
      return result
    }, isAbandoned)
  }

  /** Runs a statement on the event loop, within the time that its read has left. Throws OverdueError. */
  all(text: string, values: readonly Bound[], question: LoopQuestion): Rows {
    this.#snapshots.enter(question)
    this.#observe(question.observer)
    const prepared = this.#session.prepare(text, true)
    if (!prepared.isTimed) {
      if (prepared.usualBytes > manyBytes) return this.#readInTurn(prepared, text, values, question)
      this.#learn(question)
      return this.#read(prepared, text, values, question)
    }
    const began = performance.now()
    const { tables } = prepared
    if (tables.length === 0 || !this.#sizes.areSmall(tables, began))
      return this.#runTimed(prepared, text, values, { question, began })
    const { small } = prepared
    if (small.isTimed) return this.#runTimed(small, text, values, { question, began })
    return this.#readInTurn(small, text, values, question)
  }

  /**
   * Runs a statement without checks of the clock, and counts its time for the turn and the read, also if its rows have no
   * room: of many reads at once that begin in vain, only a few begin in one turn.
   */
  #readInTurn(prepared: PreparedText, text: string, values: readonly Bound[], question: LoopQuestion): Rows {
    const began = performance.now()
    try {
      return this.#read(prepared, text, values, question)
    } finally {
      const took = performance.now() - began
      this.#turn.spend(took)
      question.left -= took
      this.#learn(question)
    }
  }

  /**
   * Runs a statement and counts the bytes of its rows. Throws NoRoomError if there is no room for them, before all of them
   * were fetched if they were many the last time.
   */
  #read(prepared: PreparedText, text: string, values: readonly Bound[], { bytes }: LoopQuestion): Rows {
    if (bytes === null) return this.#session.read(prepared, text, values)
    if (prepared.usualBytes > manyBytes && prepared.usualBytes > bytes.left)
      return this.#session.readUpTo(prepared, text, values, bytes)
    const rows = this.#session.read(prepared, text, values)
    const size = bytesOfRows(rows)
    prepared.usualBytes = size
    if (!bytes.add(size)) throw new NoRoomError(0)
    return rows
  }

  #runTimed(prepared: PreparedText, text: string, values: readonly Bound[], { question, began }: Run): Rows {
    const slow = this.#slow.size === 0 ? undefined : this.#slow.get(text)
    if (question.left <= 0 || (slow !== undefined && this.#isElsewhere(slow, began))) throw new OverdueError()
    const { clock } = this.#session
    clock.share(began, question.left)
    let isDone = false
    try {
      const rows = this.#read(prepared, text, values, question)
      isDone = true
      return rows
    } catch (error) {
      isDone = error instanceof NoRoomError
      throw error
    } finally {
      const took = performance.now() - began
      this.#turn.spend(took)
      question.left -= clock.used(took)
      this.#learn(question)
      if (!isDone || took > waitTimeout * maxShares) this.#slow.set(text, { count: (slow?.count ?? 0) + 1, at: began })
      else if (slow !== undefined) this.#slow.delete(text)
    }
  }

  /**
   * Returns whether a statement runs in a process at once. While all processes are busy, it is tried here now and then,
   * because it may have become quick.
   */
  #isElsewhere({ count, at }: Slow, now: number): boolean {
    return count >= strikes && (this.#processes.isFree || now - at < retryAfter)
  }

  version(session: Session): number | null {
    if (session instanceof RemoteQuestion) return this.#remoteVersion(session)
    if (!(session instanceof LoopQuestion)) return this.#loopVersion(null)
    this.#snapshots.enter(session)
    return this.#versionFor(session.observer)
  }

  /** Returns the version before a read in a process, if it still is that of the database: otherwise the read may see a later one. */
  #remoteVersion({ version, observer }: RemoteQuestion): number | null {
    return !this.takesSnapshots || this.#loopVersion(observer) === version ? version : null
  }

  /** Returns the version of the newest state. */
  #loopVersion(observer: StatementObserver | null): number {
    this.#snapshots.suspend()
    return this.#versionFor(observer)
  }

  #versionFor(observer: StatementObserver | null): number {
    this.#observe(observer)
    return this.#session.all('PRAGMA data_version', [])[0]![0] as number
  }

  async close(): Promise<void> {
    await this.#processes.close()
    this.#session.connection.close()
  }
}
