// The table of keys and answers. A row is inserted before a request is carried out, and receives the answer afterwards;
// the primary key lets one of several equal requests insert it, whatever processes they reach. Knows no HTTP.

import type { Kernel } from '@plinth/kernel'
import type { Settings } from './config.ts'

const table = 'idempotency_answers'

/** Between two deletions of old rows, in milliseconds, and the most rows of one. */
const sweepInterval = 60_000
const sweepSize = 500

/** How often a row is inserted, if another request releases the same key each time. */
const attempts = 3

/** An answer that can be given again. */
export interface Answer {
  readonly status: number
  readonly type: string
  /** Null if it was too long to be kept. */
  readonly body: string | null
}

/** What is known of a key. */
export type Known =
  /** The request is the first one: it is carried out, and then kept or released. */
  | { readonly state: 'new'; readonly run: Run }
  | { readonly state: 'done'; readonly answer: Answer }
  /** The first request is being carried out. `isLost`: it should have ended, so its process may have. */
  | { readonly state: 'running'; readonly isLost: boolean }
  /** The key came with another request. */
  | { readonly state: 'other' }

/** A request that is being carried out. */
export interface Run {
  readonly id: string
  /** When it began, in milliseconds since 1970. */
  readonly startedAt: number
}

interface Row {
  readonly fingerprint: string
  readonly status: number | null
  readonly type: string | null
  readonly body: string | null
  readonly started_at: number | string
}

/** The keys and answers of one kernel. */
export class Answers {
  readonly #kernel: Kernel
  readonly #settings: Settings
  #sweepAt = 0

  constructor(kernel: Kernel, settings: Settings) {
    this.#kernel = kernel
    this.#settings = settings
  }

  /** Makes the table if it is not there: v4, run beside, drops tables that it does not know. */
  async open(): Promise<void> {
    const { schema } = this.#kernel.knex
    if (await schema.hasTable(table)) return
    try {
      await this.#kernel.transaction(tx =>
        tx.knex.schema.createTable(table, columns => {
          columns.string('id', 64).primary()
          columns.string('fingerprint', 64).notNullable()
          columns.integer('status')
          columns.string('type', 255)
          columns.text('body', 'mediumtext')
          columns.bigInteger('started_at').notNullable().index()
        }),
      )
    } catch (error) {
      // Another process may have made it at the same time.
      if (!(await schema.hasTable(table))) throw error
    }
  }

  /**
   * Begins a request, or tells what became of the first one with its id. `fingerprint` is equal for equal requests. Throws
   * what the database throws.
   */
  async begin(id: string, fingerprint: string): Promise<Known> {
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
      if (since + this.#settings.keepFor > startedAt) return this.#known(row, fingerprint, startedAt - since)
      await this.release({ id, startedAt: since })
    }
  }

  /** Keeps the answer of a request. */
  async keep({ id, startedAt }: Run, { status, type, body }: Answer): Promise<void> {
    const row = {
      status,
      type,
      body: body !== null && Buffer.byteLength(body) > this.#settings.maxAnswerBytes ? null : body,
    }
    await this.#kernel.transaction(
      async tx => void (await tx.knex(table).where({ id, started_at: startedAt }).update(row)),
    )
  }

  /** Forgets a request, so that the next one with its key is carried out. */
  async release({ id, startedAt }: Run): Promise<void> {
    await this.#kernel.transaction(
      async tx => void (await tx.knex(table).where({ id, started_at: startedAt }).delete()),
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

  #known(row: Row, fingerprint: string, age: number): Known {
    if (row.fingerprint !== fingerprint) return { state: 'other' }
    if (row.status === null) return { state: 'running', isLost: age > this.#settings.lostAfter }
    return { state: 'done', answer: { status: row.status, type: row.type!, body: row.body } }
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
