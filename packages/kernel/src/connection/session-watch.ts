// Runs the queries of knex on the connection of a session as the session runs its own: it counts them, so that the sweep
// sees a server that does not answer, and classifies their errors. Knows neither the pool nor knex.

import type { Duplex, Readable } from 'node:stream'
import type { DriverSession } from './connection-driver.ts'
import type { KnexWatch } from './knex-internals.ts'
import { meaningOf, note } from './meaning.ts'

/** The settings of a watch. */
export interface WatchSettings {
  /** True if the observer of the session receives the queries. */
  readonly isObserved: boolean
  /** Returns the error for the caller, for an error of the driver. */
  mapError(error: unknown): unknown
}

export class SessionWatch implements KnexWatch {
  readonly #session: DriverSession
  readonly #settings: WatchSettings
  /** The last error for a caller; null if there was none. */
  #failed: unknown = null

  constructor(session: DriverSession, settings: WatchSettings) {
    this.#session = session
    this.#settings = settings
  }

  async query<T>(query: () => Promise<T>, text: string): Promise<T> {
    const end = this.#begin(text)
    try {
      return await query()
    } catch (error) {
      throw this.#failureOf(error, text)
    } finally {
      end()
    }
  }

  async stream<T>(begin: () => Promise<T>, stream: Duplex, text: string): Promise<T> {
    const end = this.#begin(text)
    const { usage, connection } = this.#session
    if (usage !== undefined) usage.isPaused = () => stream.writableNeedDrain
    // mysql2 does not tell a stream that its connection has ended.
    const fail = (error: unknown) => void stream.destroy(error as Error)
    const { on, off } = eventsOf(connection)
    on('error', fail)
    // The promise of a stream that its reader ends early may never settle.
    const finish = () => {
      off('error', fail)
      if (usage !== undefined) usage.isPaused = null
      end()
    }
    stream.once('close', finish)
    stream.once('pipe', (rows: Readable) => rows.on('data', () => usage?.progress()))
    this.#mapErrors(stream, text)
    try {
      return await begin()
    } catch (error) {
      throw this.#failureOf(error, text)
    } finally {
      finish()
    }
  }

  /** Replaces the errors with which knex ends a stream. */
  #mapErrors(stream: Duplex, text: string): void {
    const emit = stream.emit.bind(stream) as (event: string | symbol, ...values: unknown[]) => boolean
    stream.emit = (event: string | symbol, ...values: unknown[]) =>
      event === 'error' ? emit(event, this.#failureOf(values[0], text)) : emit(event, ...values)
  }

  #failureOf(error: unknown, text: string): unknown {
    note(error, this.#session.errors)
    // SQLite rolls back by itself after some errors, so that the ROLLBACK of knex fails: the first error says why.
    if (this.#failed !== null && meaningOf(error) === null && /^ROLLBACK\b/i.test(text)) return this.#failed
    this.#failed = this.#settings.mapError(error)
    return this.#failed
  }

  /** Records that a query is sent. Returns a function that records its end, once. */
  #begin(text: string): () => void {
    const { usage } = this.#session
    const observer = this.#settings.isObserved ? this.#session.observer : null
    observer?.onStatement(text)
    observer?.onBegin()
    if (usage !== undefined) {
      usage.begun++
      if (/^COMMIT\b/i.test(text)) usage.isCommitting = true
    }
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      if (usage !== undefined) usage.ended++
      observer?.onEnd()
    }
  }
}

type Listen = (event: string, listener: (error: unknown) => void) => void

/** The events of a connection; one of SQLite has none. */
function eventsOf(connection: object): { readonly on: Listen; readonly off: Listen } {
  const { on, off } = connection as { readonly on?: Listen; readonly off?: Listen }
  const none = () => {}
  return { on: on?.bind(connection) ?? none, off: off?.bind(connection) ?? none }
}
