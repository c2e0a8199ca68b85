// Counts the lists of one process, and stores the counts from time to time. Whatever goes wrong with them is one line in
// the log, and no request notices it.

import type { Kernel, ReadPage } from '@plinth/kernel'
import { adviceFor, adviceText } from './advice.ts'
import type { Settings } from './config.ts'
import { type Count, Counts } from './counts.ts'
import { readIndexes } from './present-indexes.ts'
import { storeCounts } from './stored-counts.ts'

/** The maximum number of warnings of a process. */
const maxWarnings = 100

/** Counts the lists of a kernel. */
export class Advisor {
  readonly #kernel: Kernel
  readonly #settings: Settings
  /** Null until the database has its tables. */
  #counts: Counts | null = null
  #timer: NodeJS.Timeout | null = null
  /** The storing that is under way. */
  #storing: Promise<void> = Promise.resolve()
  /** True if the last storing has failed, which was logged. */
  #hasFailed = false
  /** The counts of which the log had a warning. */
  readonly #warned = new Set<string>()

  constructor(kernel: Kernel, settings: Settings) {
    this.#kernel = kernel
    this.#settings = settings
  }

  /** Counts a page that was read. */
  add(page: ReadPage): void {
    this.#counts?.add(page)
  }

  /** Begins to count. */
  async start(): Promise<void> {
    const { contentTypes } = this.#kernel
    this.#counts = new Counts(uid => contentTypes.get(uid), await readIndexes(this.#kernel))
    this.#timer = setInterval(() => this.store(), this.#settings.storeEvery).unref()
  }

  /** Stores what was counted, for the last time. */
  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer)
    await this.store()
  }

  /** Stores what was counted since the last time. Never rejects. */
  store(): Promise<void> {
    const counts = this.#counts
    if (counts !== null) this.#storing = this.#storing.then(() => this.#store(counts))
    return this.#storing
  }

  async #store(counts: Counts): Promise<void> {
    const batch = counts.take()
    if (batch.length === 0) return
    try {
      await storeCounts(this.#kernel, batch)
      this.#hasFailed = false
    } catch (error) {
      counts.giveBack(batch)
      if (!this.#hasFailed)
        this.#kernel.log.warn(`advice: counts cannot be stored for the present: ${(error as Error).message}`)
      this.#hasFailed = true
      return
    }
    const unindexed = batch.filter(one => one.index === null)
    if (unindexed.length > 0) await this.#warnAboutMissing(counts, unindexed)
  }

  /** Warns of indexes that are still missing. */
  async #warnAboutMissing(counts: Counts, unindexed: readonly Count[]): Promise<void> {
    try {
      const indexes = await readIndexes(this.#kernel)
      counts.indexes = indexes
      if (!this.#settings.warnings) return
      const unnamed = unindexed.filter(one => !this.#warned.has(one.id))
      for (const count of unnamed) {
        if (this.#warned.size >= maxWarnings) return
        for (const advice of await adviceFor(this.#kernel, indexes, [count])) {
          this.#warned.add(count.id)
          this.#kernel.log.warn(adviceText(advice))
        }
      }
    } catch (error) {
      this.#kernel.log.warn(`advice: the indexes of the database cannot be read: ${(error as Error).message}`)
    }
  }
}
