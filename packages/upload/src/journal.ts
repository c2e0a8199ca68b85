// The journal: which files of the storage have no record yet, and which have none any more. A file is named here before
// it is stored, and its line goes in the transaction that makes its record; a removal is noted in the transaction that
// removes the record, and done after COMMIT. So a start can finish what a killed process left, and need not look at what
// the storage contains.

import { randomBytes } from 'node:crypto'
import type { Kernel, Transaction } from '@plinth/kernel'

/** Its name begins as v4's tables of this plugin do. */
const table = 'upload_journal'

/** What is to be done with files, by their keys. */
export interface FileWork {
  /** The provider that has them. */
  readonly provider: string
  readonly remove: readonly string[]
  /** Files that get another key, in the place of an earlier file of that key. */
  readonly move: readonly { readonly from: string; readonly to: string; readonly mime: string }[]
}

/** Does the work. It may have been done before, wholly or in part. */
export type DoWork = (work: FileWork) => Promise<void>

/** A line that was read. */
interface Line {
  readonly id: string
  readonly work: string
  readonly state: string
  readonly noted_at: number | string
}

/** `storing`: the files are to be removed unless the line goes with a COMMIT. `due`: the work is to be done. */
type State = 'storing' | 'due'

/** Lines older than this, in milliseconds, belong to processes that were killed. Uploads have less time. */
const staleAfter = 3_600_000

export class Journal {
  readonly #kernel: Kernel
  readonly #work: DoWork

  /** `work` removes and moves files. */
  constructor(kernel: Kernel, work: DoWork) {
    this.#kernel = kernel
    this.#work = work
  }

  /** Makes the table if it is not there: v4, run beside, drops tables that it does not know. */
  async open(): Promise<void> {
    const { schema } = this.#kernel.knex
    if (await schema.hasTable(table)) return
    try {
      await this.#kernel.transaction(tx =>
        tx.knex.schema.createTable(table, columns => {
          columns.string('id', 40).primary()
          columns.string('state', 10).notNullable()
          // The text of MySQL has 64 KB, which the keys of an upload of many files exceed.
          columns.text('work', 'mediumtext').notNullable()
          columns.bigInteger('noted_at').notNullable().index()
        }),
      )
    } catch (error) {
      // Another process may have made it at the same time.
      if (!(await schema.hasTable(table))) throw error
    }
  }

  /** Names files that are about to be stored, and returns the id of the line. */
  async begin(work: FileWork): Promise<string> {
    return this.#kernel.transaction(tx => this.#insert(tx, 'storing', work))
  }

  /**
   * For the transaction that makes the records: the files have their records when it commits. Returns false if the line is
   * gone, because a start has taken the upload for a dead one; then the files may be gone, too.
   */
  async settle(tx: Transaction, id: string): Promise<boolean> {
    return (await tx.knex(table).where({ id, state: 'storing' }).delete()) === 1
  }

  /** Removes the files of a line that `begin` made, unless its records were committed after all. */
  async abandon(id: string): Promise<void> {
    const line = await this.#claim(id, 'storing')
    if (line !== null) await this.#finish(line)
  }

  /** For the transaction that removes or replaces records: does the work after its COMMIT. */
  async note(tx: Transaction, work: FileWork): Promise<void> {
    const all = { ...work, remove: [...work.remove, ...(await this.#supersede(tx, work))] }
    if (all.remove.length + all.move.length === 0) return
    const id = await this.#insert(tx, 'due', all)
    tx.afterCommit(() => this.#finish({ id, work: JSON.stringify(all) }))
  }

  /**
   * Work of killed processes that would put content in the place of files that are changed now must not be done any more.
   * Returns the keys of that content.
   */
  async #supersede(tx: Transaction, { remove, move }: FileWork): Promise<string[]> {
    const left: string[] = []
    for (const key of new Set([...remove, ...move.map(one => one.to)])) {
      // Keys contain no wildcards but "_", which finds too much at worst.
      const lines = (await tx.knex(table).where({ state: 'due' }).where('work', 'like', `%"${key}"%`)) as Line[]
      for (const line of lines) {
        const earlier = JSON.parse(line.work) as FileWork
        if (!earlier.move.some(one => one.to === key)) continue
        await tx.knex(table).where({ id: line.id }).delete()
        left.push(...earlier.remove, ...earlier.move.map(one => one.from))
      }
    }
    const kept = new Set(move.map(one => one.to))
    return left.filter(key => !kept.has(key))
  }

  /** Does what processes that were killed more than an hour ago have left. Returns how many lines there were. */
  async recover(now = Date.now()): Promise<number> {
    const lines = (await this.#kernel
      .knex(table)
      .where('noted_at', '<', now - staleAfter)
      .orderBy('id')
      .select('id', 'state')) as Pick<Line, 'id' | 'state'>[]
    let done = 0
    for (const { id, state } of lines) {
      const line = await this.#claim(id, state as State)
      if (line === null) continue
      try {
        await this.#finish(line)
        done++
      } catch (error) {
        this.#kernel.log.warn(`Files of an earlier upload could not be removed; the next start tries again: ${error}`)
      }
    }
    return done
  }

  async #insert(tx: Transaction, state: State, work: FileWork): Promise<string> {
    const id = randomBytes(20).toString('hex')
    await tx.knex(table).insert({ id, state, work: JSON.stringify(work), noted_at: Date.now() })
    return id
  }

  /** The line, which from now on is work that is due whoever does it; null if it is gone, or in another state. */
  async #claim(id: string, state: State): Promise<Line | null> {
    return this.#kernel.transaction(async tx => {
      const found = await tx.knex(table).where({ id, state }).update({ state: 'due' })
      // MySQL counts rows that change; one that was due already does not.
      if (found === 0 && state === 'storing') return null
      return ((await tx.knex(table).where({ id }).first()) as Line | undefined) ?? null
    })
  }

  async #finish({ id, work }: Pick<Line, 'id' | 'work'>): Promise<void> {
    await this.#work(JSON.parse(work) as FileWork)
    await this.#kernel.transaction(async tx => void (await tx.knex(table).where({ id }).delete()))
  }
}
