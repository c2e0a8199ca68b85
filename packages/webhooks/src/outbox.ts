// The tables of what is to be sent and of dead letters. A row is claimed for some time by the process that sends it, and
// only if no earlier row of its lane is there: so the events of an entry go to a webhook one after the other, whatever
// processes there are, and what a killed process had claimed is sent by another one. Knows no HTTP.

import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Kernel, OwnTables, Transaction } from '@plinth/kernel'

const outbox = 'webhooks_outbox'
const dead = 'webhooks_dead'

/** The tables, which every start creates if they are missing. */
export const ownTables: OwnTables = {
  [outbox](columns) {
    columns.bigIncrements('id')
    columns.string('delivery', 36).notNullable()
    columns.string('hook', 64).notNullable()
    columns.string('lane', 43).notNullable()
    columns.string('event', 40).notNullable()
    columns.string('uid', 255).notNullable()
    columns.bigInteger('entry').notNullable()
    columns.text('body', 'longtext').notNullable()
    columns.bigInteger('noted_at').notNullable()
    columns.integer('attempts').notNullable().defaultTo(0)
    columns.bigInteger('due_at').notNullable().defaultTo(0)
    columns.string('claim', 24)
    columns.bigInteger('claimed_until').notNullable().defaultTo(0)
    columns.string('fault', 255)
    columns.index(['hook', 'id'])
  },
  [dead](columns) {
    columns.bigIncrements('id')
    columns.string('delivery', 36).notNullable()
    columns.string('hook', 64).notNullable().index()
    columns.string('lane', 43).notNullable()
    columns.string('event', 40).notNullable()
    columns.string('uid', 255).notNullable()
    columns.bigInteger('entry').notNullable()
    columns.text('body', 'longtext').notNullable()
    columns.bigInteger('noted_at').notNullable()
    columns.integer('attempts').notNullable()
    columns.string('fault', 255)
    columns.bigInteger('died_at').notNullable().index()
  },
}

/** An event for a webhook. */
export interface NewRow {
  readonly hook: string
  readonly lane: string
  readonly event: string
  readonly uid: string
  readonly entry: number
  readonly body: string
}

/** A row that this process has claimed. */
export interface Claimed extends NewRow {
  readonly id: number | string
  readonly delivery: string
  readonly attempts: number
  readonly claim: string
  /** The latest time at which it may be sent by this process, in milliseconds since 1970. */
  readonly sendBefore: number
}

/** A dead letter, without what was to be sent. */
export interface DeadLetter {
  readonly id: number
  readonly hook: string
  readonly event: string
  readonly uid: string
  readonly entry: number
  readonly attempts: number
  readonly fault: string | null
  /** Milliseconds since 1970. */
  readonly notedAt: number
  readonly diedAt: number
}

/** Counts of a webhook's events. */
export interface Backlog {
  readonly waiting: number
  /** Of these, those of which an attempt has failed. */
  readonly failing: number
  /** The time at which the oldest was noted, in milliseconds since 1970; null if nothing waits. */
  readonly oldest: number | null
  readonly dead: number
}

type Row = Omit<Claimed, 'sendBefore'> & {
  readonly noted_at: number | string
  readonly claimed_until: number | string
}

type Id = Row['id']

/** The first `limit` rows of a webhook that may be sent at a given time. */
interface RowQuery {
  readonly hook: string
  readonly limit: number
  readonly now: number
}

type HeadRow = Pick<Row, 'id' | 'lane' | 'claimed_until'> & { readonly due_at: number | string }

/** The maximum number of rows of one statement. */
const batch = 200
/** The rows among which the next ones are looked for, and how often at most. */
const window = 500
const maxWindows = 8

/** Duration of a claim, in request time limits: one until the row is sent, one for the request, one to note its result. */
const leaseInTimeouts = 3

/** The name of the events of one entry for one webhook, which are sent in their order. */
export function laneOf(hook: string, uid: string, entry: number): string {
  return createHash('sha256')
    .update(JSON.stringify([hook, uid, entry]))
    .digest('base64url')
}

/** A fault that fits its column, in any character set. */
const shortened = (fault: string) => fault.slice(0, 255).replaceAll(/[^\x20-\x7e]/g, '?')

/** The same JSON in ASCII: the tables of a database may have a character set in which the text does not fit. */
function toAscii(json: string): string {
  return json.replaceAll(/[^\x20-\x7e]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Undoes `toAscii`: receivers are sent what v4 would send. */
const fromAscii = (json: string) => (json.includes('\\u') ? JSON.stringify(JSON.parse(json)) : json)

export class Outbox {
  readonly #kernel: Kernel
  readonly #timeout: number

  /** `timeout`: the time limit of a request in milliseconds, from which it follows for how long a row is claimed. */
  constructor(kernel: Kernel, timeout: number) {
    this.#kernel = kernel
    this.#timeout = timeout
  }

  /** Adds events, in the transaction of what they tell of. */
  async add(tx: Transaction, events: readonly NewRow[]): Promise<void> {
    const notedAt = Date.now()
    const rows = events.map(one => ({
      ...one,
      body: toAscii(one.body),
      delivery: randomUUID(),
      noted_at: notedAt,
    }))
    for (let i = 0; i < rows.length; i += batch) await tx.knex(outbox).insert(rows.slice(i, i + batch))
  }

  /**
   * Claims the next events of a webhook: of each entry the first one, if it is due and nobody else has it. Where very many
   * wait, those behind the first thousands are found only if `isThorough`, because that takes a look at all.
   */
  async claim(hook: string, limit: number, isThorough = true): Promise<Claimed[]> {
    const now = Date.now()
    const query: RowQuery = { hook, limit, now }
    const ids = (await this.#heads(query)) ?? (isThorough ? await this.#headsOfAll(query) : [])
    if (ids.length === 0) return []
    const claim = randomBytes(12).toString('hex')
    const sendBefore = now + this.#timeout
    return this.#kernel.transaction(async tx => {
      const free = tx.knex(outbox).whereIn('id', ids).where('due_at', '<=', now).where('claimed_until', '<=', now)
      const count = await free.update({ claim, claimed_until: now + this.#timeout * leaseInTimeouts })
      if (count === 0) return []
      const rows: readonly Row[] = await tx.knex(outbox).whereIn('id', ids).where({ claim }).orderBy('id')
      return rows.map(row => ({ ...row, entry: Number(row.entry), body: fromAscii(row.body), sendBefore }))
    })
  }

  /**
   * Finds the first rows of lanes, of those that are due and free. Reads the rows in their order and no more than it needs:
   * a condition on earlier rows would make the database look at all of them each time. Returns null if none of those that it
   * has read may be sent, and there are more.
   */
  async #heads({ hook, limit, now }: RowQuery): Promise<readonly Id[] | null> {
    const lanes = new Set<string>()
    const heads: Id[] = []
    let last: Id = 0
    for (let i = 0; heads.length === 0; i++) {
      if (i === maxWindows) return null
      const rows: readonly HeadRow[] = await this.#kernel
        .knex(outbox)
        .select('id', 'lane', 'due_at', 'claimed_until')
        .where({ hook })
        .where('id', '>', last)
        .orderBy('id')
        .limit(window)
      for (const { id, lane, due_at, claimed_until } of rows) {
        if (lanes.has(lane)) continue
        lanes.add(lane)
        const isFree = Number(due_at) <= now && Number(claimed_until) <= now
        if (isFree && heads.length < limit) heads.push(id)
      }
      if (rows.length < window) break
      last = rows.at(-1)!.id
    }
    return heads
  }

  /** Finds the same among all rows: however many wait to be sent again, they hold up no others for good. */
  async #headsOfAll({ hook, limit, now }: RowQuery): Promise<readonly Id[]> {
    const { knex } = this.#kernel
    const heads: readonly Pick<Row, 'id'>[] = await knex(outbox)
      .select('id')
      .whereIn('id', knex(outbox).where({ hook }).groupBy('lane').min('id'))
      .where('due_at', '<=', now)
      .where('claimed_until', '<=', now)
      .orderBy('id')
      .limit(limit)
    return heads.map(({ id }) => id)
  }

  /** Deletes events that were delivered. */
  async settle(rows: readonly Claimed[]): Promise<void> {
    await this.#kernel.transaction(async tx => void (await ownedBy(tx, rows).delete()))
  }

  /** Gives rows back that were not sent. */
  async release(rows: readonly Claimed[]): Promise<void> {
    await this.#kernel.transaction(async tx => void (await ownedBy(tx, rows).update({ claim: null, claimed_until: 0 })))
  }

  /** Notes a failed attempt. The event is sent again from `dueAt` on, in milliseconds since 1970. */
  async postpone(row: Claimed, fault: string, dueAt: number): Promise<void> {
    const change = { attempts: row.attempts + 1, due_at: dueAt, claim: null, claimed_until: 0, fault: shortened(fault) }
    await this.#kernel.transaction(async tx => void (await ownedBy(tx, [row]).update(change)))
  }

  /** Makes a dead letter of an event after its last attempt. */
  async bury(row: Claimed, fault: string): Promise<void> {
    await this.#kernel.transaction(async tx => {
      const stored: Row | undefined = await ownedBy(tx, [row]).first()
      if (stored === undefined) return
      await ownedBy(tx, [row]).delete()
      const { delivery, hook, lane, event, uid, entry, body, noted_at, attempts } = stored
      const letter = { delivery, hook, lane, event, uid, entry, body, noted_at, attempts: attempts + 1 }
      await tx.knex(dead).insert({ ...letter, fault: shortened(fault), died_at: Date.now() })
    })
  }

  /** Sends dead letters again: one, or all of a webhook. They come after what waits already. Returns how many there were. */
  async replay(which: { readonly id: number } | { readonly hook: string }): Promise<number> {
    for (let total = 0; ; ) {
      const count = await this.#kernel.transaction(async tx => {
        const rows: readonly Row[] = await tx.knex(dead).where(which).orderBy('id').limit(batch).forUpdate()
        const again = rows.map(({ delivery, hook, lane, event, uid, entry, body, noted_at }) => ({
          ...{ delivery, hook, lane, event, uid, entry, body, noted_at },
        }))
        if (again.length === 0) return 0
        await tx.knex(outbox).insert(again)
        await tx
          .knex(dead)
          .whereIn(
            'id',
            rows.map(one => one.id),
          )
          .delete()
        return rows.length
      })
      total += count
      if (count < batch) return total
    }
  }

  /** Deletes all that waits for a webhook, and its dead letters. Returns how many rows there were. */
  async drop(hook: string): Promise<number> {
    return this.#kernel.transaction(
      async tx => (await tx.knex(outbox).where({ hook }).delete()) + (await tx.knex(dead).where({ hook }).delete()),
    )
  }

  /** Deletes dead letters that died before a time, in milliseconds since 1970. */
  async sweep(before: number): Promise<void> {
    await this.#kernel.transaction(async tx => void (await tx.knex(dead).where('died_at', '<', before).delete()))
  }

  /** Counts the events of all webhooks, by their names, including webhooks that the settings do not name any more. */
  async backlogs(): Promise<Map<string, Backlog>> {
    const { knex } = this.#kernel
    const waiting: readonly Record<string, unknown>[] = await knex(outbox)
      .groupBy('hook')
      .select('hook', knex.raw('COUNT(*) AS waiting'), knex.raw('MIN(noted_at) AS oldest'))
      .select(knex.raw('SUM(CASE WHEN attempts > 0 THEN 1 ELSE 0 END) AS failing'))
    const buried: readonly Record<string, unknown>[] = await knex(dead)
      .groupBy('hook')
      .select('hook', knex.raw('COUNT(*) AS dead'))
    const backlogs = new Map<string, Backlog>()
    for (const { hook, ...row } of waiting)
      backlogs.set(String(hook), {
        waiting: Number(row.waiting),
        failing: Number(row.failing),
        oldest: Number(row.oldest),
        dead: 0,
      })
    for (const { hook, dead } of buried)
      backlogs.set(String(hook), { ...(backlogs.get(String(hook)) ?? none), dead: Number(dead) })
    return backlogs
  }

  /** The newest dead letters, of one webhook or of all. */
  async deadLetters(hook?: string): Promise<DeadLetter[]> {
    const rows: readonly Record<string, unknown>[] = await this.#kernel
      .knex(dead)
      .where(hook === undefined ? {} : { hook })
      .orderBy('id', 'desc')
      .limit(batch)
    return rows.map(row => ({
      id: Number(row.id),
      hook: String(row.hook),
      event: String(row.event),
      uid: String(row.uid),
      entry: Number(row.entry),
      attempts: Number(row.attempts),
      fault: row.fault as string | null,
      notedAt: Number(row.noted_at),
      diedAt: Number(row.died_at),
    }))
  }
}

/** The backlog of a webhook that has none. */
export const none: Backlog = { waiting: 0, failing: 0, oldest: null, dead: 0 }

/** The rows that are still claimed as they were: others are not touched, because another process has them. */
function ownedBy(tx: Transaction, rows: readonly Claimed[]) {
  return tx
    .knex(outbox)
    .whereIn(
      'id',
      rows.map(one => one.id),
    )
    .whereIn('claim', [...new Set(rows.map(one => one.claim))])
}
