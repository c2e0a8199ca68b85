// Delivers the events of one webhook, several at a time, as long as the process lives: claims them, sends them, and settles
// what was acknowledged, with pauses after failures.

import type { Logger } from '@plinth/kernel'
import type { Hook } from './hooks.ts'
import type { Claimed, Outbox } from './outbox.ts'
import { requestOf } from './request.ts'
import type { Outcome, Sender } from './sender.ts'

/** Maximum pause between two attempts, in milliseconds. */
const maxPause = 3_600_000

/** Number of events claimed per concurrent request. */
const perSlot = 10

/** Settings of a courier. Times are in milliseconds. */
export interface CourierSettings {
  readonly concurrency: number
  readonly attempts: number
  readonly retryPause: number
  readonly pollEvery: number
}

interface CourierTools {
  readonly hook: Hook
  readonly outbox: Outbox
  readonly sender: Sender
  readonly settings: CourierSettings
  readonly log: Logger
}

export class Courier {
  readonly #tools: CourierTools
  readonly #running = new Set<Promise<void>>()
  /** Events that are claimed and not sent yet. */
  #claimed: Claimed[] = []
  /** Acknowledged events, until the next statement settles them. */
  #acknowledged: Claimed[] = []
  #settling: Promise<void> | null = null
  #isClosed = false
  #isWoken = false
  #wakeUp: (() => void) | null = null
  #loop: Promise<void> | null = null
  /** False while attempts fail: the log has the first of a row of failures. */
  #isWell = true
  /** False while the database does not answer. */
  #isReadable = true
  /** When all that waits is looked at again, in milliseconds since 1970: that takes long where very much does. */
  #thoroughFrom = 0

  constructor(tools: CourierTools) {
    this.#tools = tools
  }

  /** Begins to deliver. */
  start(): void {
    this.#loop = this.#run()
  }

  /** Says that there may be something to send. */
  wake(): void {
    this.#isWoken = true
    this.#wakeUp?.()
  }

  /** Ends, when the requests under way have ended; whoever calls this ends those as well. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.wake()
    await this.#loop
    await Promise.all([this.#giveBack(), ...this.#running])
  }

  /** Never rejects. */
  async #run(): Promise<void> {
    const { concurrency, pollEvery } = this.#tools.settings
    while (!this.#isClosed) {
      this.#isWoken = false
      // A look at the table is worth many deliveries.
      if (this.#claimed.length === 0) this.#claimed = await this.#claim(concurrency * perSlot)
      while (this.#mayBegin() && this.#claimed.length > 0) this.#track(this.#claimed.shift()!)
      await this.#sleep(pollEvery)
    }
  }

  /** Returns whether another request may begin: it may have been closed while events were claimed. */
  #mayBegin(): boolean {
    return !this.#isClosed && this.#running.size < this.#tools.settings.concurrency
  }

  /** Waits until `wake` was called since the last look, but no longer than `time`. */
  async #sleep(time: number): Promise<void> {
    if (this.#isWoken) return
    const { promise, resolve } = Promise.withResolvers<void>()
    // A process that has nothing else to do must be able to end.
    const timer = setTimeout(resolve, time).unref()
    this.#wakeUp = resolve
    await promise
    clearTimeout(timer)
    this.#wakeUp = null
  }

  /** Never rejects: others take over what they find claimed for too long. */
  async #giveBack(): Promise<void> {
    const rows = this.#claimed
    this.#claimed = []
    if (rows.length > 0) await this.#tools.outbox.release(rows).catch(() => {})
  }

  async #claim(limit: number): Promise<Claimed[]> {
    const { outbox, hook, settings, log } = this.#tools
    const isThorough = Date.now() >= this.#thoroughFrom
    try {
      const rows = await outbox.claim(hook.name, limit, isThorough)
      this.#isReadable = true
      if (isThorough && rows.length === 0) this.#thoroughFrom = Date.now() + settings.pollEvery
      return rows
    } catch (error) {
      if (this.#isReadable) log.warn(`webhooks: what is to be sent could not be read; that is tried again: ${error}`)
      this.#isReadable = false
      return []
    }
  }

  #track(row: Claimed): void {
    const work = this.#deliver(row).finally(() => {
      this.#running.delete(work)
      // The next event of the entry is the first one now.
      this.wake()
    })
    this.#running.add(work)
  }

  /** Never rejects: what cannot be noted is sent again by whoever claims it later. */
  async #deliver(row: Claimed): Promise<void> {
    const { hook, outbox, sender, log } = this.#tools
    try {
      // A process that was stopped for long must not send what another one has taken over.
      if (Date.now() > row.sendBefore) return await outbox.release([row])
      const { delivery, event, body } = row
      const outcome = await sender.send(requestOf(hook, { id: delivery, event, body }))
      if (outcome.isAborted) await outbox.release([row])
      else if (outcome.fault === null) await this.#settle(row)
      else await this.#fail(row, outcome, outcome.fault)
    } catch (error) {
      log.warn(`webhooks: "${hook.name}": the outcome of a delivery could not be noted; it may come twice: ${error}`)
    }
  }

  /** Settles an event together with those that are acknowledged while the statement before it runs. */
  async #settle(row: Claimed): Promise<void> {
    this.#isWell = true
    this.#acknowledged.push(row)
    const before = this.#settling
    if (before !== null) {
      await before.catch(() => {})
      // Another one may have taken this along.
      if (!this.#acknowledged.includes(row)) return this.#settling ?? undefined
    }
    const rows = this.#acknowledged
    this.#acknowledged = []
    const settling = this.#tools.outbox.settle(rows)
    this.#settling = settling
    try {
      await settling
    } finally {
      if (this.#settling === settling) this.#settling = null
    }
  }

  async #fail(row: Claimed, { retryAfter }: Outcome, fault: string): Promise<void> {
    const { hook, outbox, settings, log } = this.#tools
    const attempts = row.attempts + 1
    if (attempts >= settings.attempts) {
      await outbox.bury(row, fault)
      const what = `${row.event} of ${row.uid} ${row.entry}`
      log.warn(
        `webhooks: "${hook.name}": ${what} was given up after ${attempts} attempts: ${fault}; \`plinth webhooks replay\` sends it again`,
      )
      return
    }
    const pause = pauseAfter(attempts, settings.retryPause, retryAfter)
    if (this.#isWell)
      log.warn(`webhooks: "${hook.name}": ${fault}; it is sent again in ${Math.ceil(pause / 1000)} s, and so on`)
    this.#isWell = false
    await outbox.postpone(row, fault, Date.now() + pause)
  }
}

/** Returns the pause after so many attempts, in milliseconds: it doubles each time, with a small random addition. */
export function pauseAfter(attempts: number, first: number, retryAfter: number | null): number {
  const usual = Math.min(first * 2 ** (attempts - 1), maxPause)
  const requestedPause = Math.min((retryAfter ?? 0) * 1000, maxPause)
  return Math.round(Math.max(usual * (1 + Math.random() / 10), requestedPause))
}
