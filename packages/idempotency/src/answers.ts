// The table of keys and answers. A row is inserted before a request is carried out, and receives the answer afterwards;
// the primary key lets one of several equal requests insert it, whatever processes they reach. Each transaction that
// writes for the request marks the row, so that it is known at any time, also after a lost COMMIT or the end of a
// process, whether the request has written. Knows no HTTP.

import type { Kernel, OwnTables, Transaction } from '@plinth/kernel'
import type { Settings } from './config.ts'

const table = 'idempotency_answers'

/** The table, which every start creates if it is missing: v4, run beside, drops tables that it does not know. */
export const ownTables: OwnTables = {
  [table](columns) {
    columns.string('id', 64).primary()
    columns.string('fingerprint', 64).notNullable()
    columns.integer('status')
    columns.string('type', 255)
    columns.text('body', 'mediumtext')
    columns.bigInteger('started_at').notNullable().index()
    columns.integer('writes').notNullable().defaultTo(0)
  },
}

/** Milliseconds between two deletions of old rows, and the maximum number of rows of one. */
const sweepInterval = 60_000
const sweepSize = 500

/** The maximum number of times that a row is inserted, if another request releases the same key each time. */
const attempts = 3

/** An answer that can be given again. */
export interface Answer {
  readonly status: number
  readonly type: string
  /** Null if it was not kept: because it was too long, or because its status says nothing about what was written. */
  readonly body: string | null
}

/** The state of the first request with a key. */
export type Standing =
  /** The request is the first one: it is carried out, and then kept or released. */
  | { readonly state: 'new'; readonly run: Run }
  | { readonly state: 'done'; readonly answer: Answer }
  /** The first request is being carried out. */
  | { readonly state: 'running' }
  /** The first request has written, and should have ended long ago: it was lost before its answer was kept. */
  | { readonly state: 'lost' }
  /** The key came with another request. */
  | { readonly state: 'other' }

/** A request that is being carried out. */
export interface Run {
  readonly id: string
  /** When it began, in milliseconds since 1970. Another request that takes its place has another time. */
  readonly startedAt: number
}

interface Row {
  readonly fingerprint: string
  readonly status: number | null
  readonly type: string | null
  readonly body: string | null
  readonly started_at: number | string
  /** The number of transactions that have written for the request. */
  readonly writes: number
}

/** The rows that a statement concerns. */
type Rows = ReturnType<Transaction['knex']>

/** The keys and answers of one kernel. */
export class Answers {
  readonly #kernel: Kernel
  readonly #settings: Settings
  #sweepAt = 0

  constructor(kernel: Kernel, settings: Settings) {
    this.#kernel = kernel
    this.#settings = settings
  }

  /**
   * Begins a request, or returns what became of the first one with its id. `fingerprint` is equal for equal requests. One
   * that was lost without having written is replaced. Throws what the database throws.
   */
  async begin(id: string, fingerprint: string): Promise<Standing> {
    await this.#sweep()
    for (let attempt = 1; ; attempt++) {
      const startedAt = Date.now()
      const failure = await this.#insert({ id, fingerprint, started_at: startedAt })
      if (failure === null) return { state: 'new', run: { id, startedAt } }
      const row: Row | undefined = await this.#kernel.knex(table).where({ id }).first()
      if (row === undefined) {
        // It was released in between, or the insert has failed for another reason.
        if (attempt === attempts) throw failure
        continue
      }
      const since = Number(row.started_at)
      if (since + this.#settings.keepFor <= startedAt) {
        await this.#change({ id, startedAt: since }, own => own.delete())
        continue
      }
      const standing = this.#standingOf(row, fingerprint, startedAt - since)
      if (standing !== null) return standing
      const take = (own: Rows) => own.where({ writes: 0 }).whereNull('status').update({ started_at: startedAt })
      const isTaken = (await this.#change({ id, startedAt: since }, take)) === 1
      return isTaken ? { state: 'new', run: { id, startedAt } } : { state: 'running' }
    }
  }

  /**
   * Marks, in a transaction that writes for a request, that it has written. False if another request has taken its place,
   * because it was taken for lost: then it must not write.
   */
  async mark({ id, startedAt }: Run, tx: Transaction): Promise<boolean> {
    return (await tx.knex(table).where({ id, started_at: startedAt }).increment('writes', 1)) === 1
  }

  /** Keeps the answer of a request. */
  async keep(run: Run, { status, type, body }: Answer): Promise<void> {
    const row = {
      status,
      type,
      body: body !== null && Buffer.byteLength(body) > this.#settings.maxAnswerBytes ? null : body,
    }
    await this.#change(run, own => own.update(row))
  }

  /**
   * Forgets a request that has failed, so that the next one with its key is carried out. If it has written all the same,
   * only its status is kept. A transaction whose COMMIT was lost has locked the row, and is waited for.
   */
  async release(run: Run, status: number): Promise<void> {
    const isForgotten = (await this.#change(run, own => own.where({ writes: 0 }).delete())) === 1
    if (!isForgotten) await this.#change(run, own => own.update({ status, type: null, body: null }))
  }

  /** Changes the row of a request, if the request still has it. Returns 1, or 0 if no row was changed. */
  #change({ id, startedAt }: Run, change: (own: Rows) => PromiseLike<number>): Promise<number> {
    return this.#kernel.transaction(tx =>
      Promise.resolve(change(tx.knex(table).where({ id, started_at: startedAt }) as Rows)),
    )
  }

  /** Deletes some of the rows that are too old, once a minute. */
  async #sweep(): Promise<void> {
    const now = Date.now()
    if (now < this.#sweepAt) return
    this.#sweepAt = now + sweepInterval
    const before = now - this.#settings.keepFor
    const old: { readonly id: string }[] = await this.#kernel
      .knex(table)
      .select('id')
      .where('started_at', '<', before)
      .limit(sweepSize)
    if (old.length === 0) return
    const ids = old.map(one => one.id)
    await this.#kernel.transaction(
      async tx => void (await tx.knex(table).whereIn('id', ids).where('started_at', '<', before).delete()),
    )
    // There may be more.
    if (old.length === sweepSize) this.#sweepAt = now
  }

  /** Returns what a row says; null if its request was lost without having written. */
  #standingOf(row: Row, fingerprint: string, age: number): Standing | null {
    const { status, type, body, writes } = row
    if (row.fingerprint !== fingerprint) return { state: 'other' }
    if (status !== null) return { state: 'done', answer: { status, type: type ?? '', body } }
    if (age <= this.#settings.lostAfter) return { state: 'running' }
    return writes > 0 ? { state: 'lost' } : null
  }

  /** Null if the row was inserted, or else why not: the id exists, or the database has failed. */
  async #insert(row: object): Promise<unknown> {
    try {
      await this.#kernel.transaction(async tx => void (await tx.knex(table).insert(row)))
      return null
    } catch (error) {
      return error
    }
  }
}
