// The table of the journal: its lines, and whose turn it is to do the work of a line. Of several processes one has the turn;
// it renews the turn while it works, and others take it over when that process is silent. Knows no provider.

import { randomBytes } from 'node:crypto'
import type { Kernel, OwnTables, Transaction } from '@plinth/kernel'
import { type LineWork, supersede } from './file-work.ts'

/** Its name begins as v4's tables of this plugin do. */
const table = 'upload_journal'

/** The table, which every start creates if it is missing: v4, run beside, drops tables that it does not know. */
export const ownTables: OwnTables = {
  [table](columns) {
    columns.string('id', 40).primary()
    columns.string('state', 10).notNullable()
    // The text of MySQL has 64 KB, which the keys of an upload of many files exceed.
    columns.text('work', 'mediumtext').notNullable()
    columns.bigInteger('noted_at').notNullable().index()
  },
}

/** Milliseconds of silence after which requests that wait for a turn take it over. */
export const silentAfter = 20_000
/** Milliseconds of silence after which nothing is written any more in an earlier turn: its process or its request is gone. */
const goneAfter = 60_000
/** Uploads that began longer ago, in milliseconds, belong to processes that were killed. Uploads have less time. */
const staleAfter = 3_600_000
/** The maximum number of lines that one search finds. */
const maxLines = 500

/** A turn that this process has. */
export interface Turn {
  readonly id: string
  /** The state of the line while the turn lasts, which no other turn has. */
  readonly state: string
  readonly work: LineWork
  /** When the turn was taken or renewed, in milliseconds since 1970. */
  readonly since: number
}

/** `free`: the turn may be taken. `busy`: another has it. `settled`: nothing is to be done, or not before later. */
type Standing = 'free' | 'busy' | 'settled'

/**
 * `storing`: the files are to be removed unless the line goes with a COMMIT. `due`: the work is to be done. All other
 * states are turns.
 */
interface Row {
  readonly id: string
  readonly state: string
  readonly work: string
  readonly noted_at: number | string
}

export class Lines {
  readonly #kernel: Kernel

  constructor(kernel: Kernel) {
    this.#kernel = kernel
  }

  /** Adds the line of an upload that begins, and returns its id. */
  async addUpload(work: LineWork): Promise<string> {
    const id = randomBytes(20).toString('hex')
    const row = { id, state: 'storing', work: JSON.stringify(work), noted_at: Date.now() }
    await this.#kernel.transaction(async tx => void (await tx.knex(table).insert(row)))
    return id
  }

  /** Deletes the line of an upload; false if it is gone or was taken for that of a killed process. */
  async settleUpload(tx: Transaction, id: string): Promise<boolean> {
    return (await tx.knex(table).where({ id, state: 'storing' }).delete()) === 1
  }

  /**
   * Puts work in the line `id`, in the place of earlier work, and takes the turn. Returns null if another has the turn, who
   * does the new work, too. The transaction must have locked the record, so that lines have the order of its changes.
   */
  async put(tx: Transaction, id: string, work: LineWork): Promise<Turn | null> {
    const own: Turn = { id, state: newTurn(), work, since: Date.now() }
    for (;;) {
      const added = { id, state: own.state, work: JSON.stringify(work), noted_at: own.since }
      await tx.knex(table).insert(added).onConflict('id').ignore()
      const row = await this.#lock(tx, id)
      // The turn of another has ended between the two statements.
      if (row === null) continue
      if (row.state === own.state) return own
      return this.#take(tx, row, { ...own, work: supersede(JSON.parse(row.work), work) })
    }
  }

  /** Writes the work of `turn` into a line, with the turn unless another has it. */
  async #take(tx: Transaction, row: Row, { id, state, work, since }: Turn): Promise<Turn | null> {
    const isBusy = isTurn(row.state) && since - Number(row.noted_at) < silentAfter
    if (isBusy) {
      await tx
        .knex(table)
        .where({ id })
        .update({ work: JSON.stringify(work) })
      return null
    }
    const own = afterOthers(work, row, since)
    await tx
      .knex(table)
      .where({ id })
      .update({ state, work: JSON.stringify(own), noted_at: since })
    return { id, state, work: own, since }
  }

  /** Takes the turn of a line. `isAbandoned`: also if it is the line of an upload. `now`: what counts as the time. */
  async claim(id: string, { isAbandoned = false, now = Date.now() } = {}): Promise<Turn | 'busy' | 'settled'> {
    // Those who wait look often, and a transaction would make writers wait.
    const unlockedRow: Row | undefined = await this.#kernel.knex(table).where({ id }).first()
    const standing = standingOf(unlockedRow ?? null, now, isAbandoned)
    if (standing !== 'free') return standing
    return this.#kernel.transaction(async tx => {
      const row = await this.#lock(tx, id)
      const standing = standingOf(row, now, isAbandoned)
      if (row === null || standing !== 'free') return standing === 'busy' ? 'busy' : 'settled'
      const own = afterOthers(JSON.parse(row.work), row, now)
      const turn: Turn = { id, state: newTurn(), work: own, since: Date.now() }
      await tx
        .knex(table)
        .where({ id })
        .update({ state: turn.state, work: JSON.stringify(own), noted_at: turn.since })
      return turn
    })
  }

  /** Renews a turn; false if another has taken it over. */
  async renew({ id, state }: Turn): Promise<boolean> {
    return this.#kernel.transaction(
      async tx => (await tx.knex(table).where({ id, state }).update({ noted_at: Date.now() })) === 1,
    )
  }

  /** Ends a turn whose work has failed: it is due, and content that the attempt has sent may still arrive. */
  async release({ id, state, work: tried }: Turn): Promise<void> {
    await this.#kernel.transaction(async tx => {
      const row = await this.#lock(tx, id)
      if (row?.state !== state) return
      const current = JSON.parse(row.work) as LineWork
      const work = tried.move.length > 0 ? { ...current, isDoubtful: true } : current
      await tx
        .knex(table)
        .where({ id })
        .update({ state: 'due', work: JSON.stringify(work), noted_at: Date.now() })
    })
  }

  /**
   * Ends a turn whose work is done. Returns the next turn if the line has got other work meanwhile, null if another has
   * taken the turn over, and otherwise `settled`: the line is gone, or waits to be done once more.
   */
  async finish({ id, state, work }: Turn): Promise<Turn | null | 'settled'> {
    return this.#kernel.transaction(async tx => {
      const row = await this.#lock(tx, id)
      if (row === null) return 'settled'
      if (row.state !== state) return null
      const current = JSON.parse(row.work) as LineWork
      if (current.version !== work.version) return { id, state, work: current, since: Number(row.noted_at) }
      const own = tx.knex(table).where({ id })
      if (current.isDoubtful !== true) await own.delete()
      else {
        const later = { ...current, isDoubtful: false, isDone: true }
        await own.update({ state: 'due', work: JSON.stringify(later), noted_at: Date.now() })
      }
      return 'settled'
    })
  }

  /** The lines whose work may be due at the time `now`, the oldest first. `isUpload`: of an upload that was killed. */
  async findDue(now: number): Promise<readonly { readonly id: string; readonly isUpload: boolean }[]> {
    const rows: Pick<Row, 'id' | 'state' | 'noted_at'>[] = await this.#kernel
      .knex(table)
      .where({ state: 'due' })
      .orWhere('noted_at', '<', now - goneAfter)
      .orderBy('noted_at')
      .limit(maxLines)
      .select('id', 'state', 'noted_at')
    const isRunning = (one: (typeof rows)[number]) => one.state === 'storing' && now - Number(one.noted_at) < staleAfter
    return rows.filter(one => !isRunning(one)).map(({ id, state }) => ({ id, isUpload: state === 'storing' }))
  }

  async #lock(tx: Transaction, id: string): Promise<Row | null> {
    return ((await tx.knex(table).where({ id }).forUpdate().first()) as Row | undefined) ?? null
  }
}

function standingOf(row: Row | null, now: number, isAbandoned: boolean): Standing {
  if (row === null) return 'settled'
  const age = now - Number(row.noted_at)
  if (row.state === 'storing') return isAbandoned ? 'free' : 'settled'
  if (row.state !== 'due') return age < silentAfter ? 'busy' : 'free'
  const { isDone = false } = JSON.parse(row.work) as LineWork
  return isDone && age < goneAfter ? 'settled' : 'free'
}

/**
 * The work of a turn that follows others. Another that was silent for a short time only may still write; after a longer time,
 * nothing arrives any more that was sent in earlier turns.
 */
function afterOthers(work: LineWork, { state, noted_at }: Row, now: number): LineWork {
  if (now - Number(noted_at) >= goneAfter) return { ...work, isDoubtful: false }
  return isTurn(state) ? { ...work, isDoubtful: true } : work
}

const isTurn = (state: string) => state !== 'due' && state !== 'storing'

const newTurn = () => `m${randomBytes(5).toString('hex').slice(1)}`
