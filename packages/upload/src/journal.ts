// The journal: which files of the storage have no record yet, and which have none any more. A file is named here before
// it is stored, and its line goes in the transaction that makes its record; a change of stored files is noted in the
// transaction that changes their record, and done after COMMIT, one at a time for each file, in the order of the changes of
// the record. So what a killed process left can be finished, and what the storage contains need not be looked at.

import { setTimeout as sleep } from 'node:timers/promises'
import { type Kernel, type Transaction, UnavailableError } from '@plinth/kernel'
import { type FileWork, lineIdOf } from './file-work.ts'
import { Lines, silentAfter, type Turn } from './lines.ts'

/** An attempt to do the work of a line. */
export interface Attempt {
  readonly signal: AbortSignal
  /** True if content stays under its own key as well, because it may have to be moved once more. */
  readonly keepsContent: boolean
}

/** Does the work. It may have been done before, wholly or in part. Rejects within a second when the signal aborts. */
export type DoWork = (work: FileWork, attempt: Attempt) => Promise<void>

/** A change of stored files that was noted. */
export interface NotedChange {
  /** The error of the work after COMMIT; null if there was none. The work stays due. */
  failure: unknown
}

/** Milliseconds between two renewals of a turn, and between two looks at the turn of another process. */
const renewal = 5000
const pause = 100
/** Milliseconds that a request waits for the turns of others. */
const patience = 60_000
/** The number of failures after which no further lines are tried: the storage does not answer. */
const mostFailures = 3

export class Journal {
  readonly #kernel: Kernel
  readonly #lines: Lines
  readonly #work: DoWork
  /** The work that this process does at the moment, by the ids of lines. */
  readonly #running = new Map<string, Promise<void>>()
  readonly #closing = new AbortController()
  /** Is called when work has failed and stays due. */
  onFailure: () => void = () => {}

  /** `work` removes and moves files. */
  constructor(kernel: Kernel, work: DoWork) {
    this.#kernel = kernel
    this.#lines = new Lines(kernel)
    this.#work = work
  }

  /** Ends work that is under way. It stays due. */
  async close(): Promise<void> {
    this.#closing.abort(new UnavailableError('The server is closing'))
    await Promise.allSettled(this.#running.values())
  }

  /** Names files that are about to be stored, and returns the id of the line. */
  begin(work: FileWork): Promise<string> {
    return this.#lines.addUpload(work)
  }

  /**
   * For the transaction that makes the records: the files have their records when it commits. Returns false if the line is
   * gone, because the upload was taken for a dead one; then the files may be gone, too.
   */
  settle(tx: Transaction, id: string): Promise<boolean> {
    return this.#lines.settleUpload(tx, id)
  }

  /** Removes the files of a line that `begin` made, unless its records were committed after all. */
  abandon(id: string): Promise<void> {
    return this.#carryOut(id, { isAbandoned: true })
  }

  /**
   * For the transaction that removes or replaces the record of the file `key`, after it has locked the record: does the work
   * after its COMMIT. What is still to be done for earlier changes of the file is not done any more, unless the result
   * needs it.
   */
  async note(tx: Transaction, key: string, work: FileWork & { readonly version: string }): Promise<NotedChange> {
    const id = lineIdOf(work.provider, key)
    const turn = await this.#lines.put(tx, id, work)
    const noted: NotedChange = { failure: null }
    tx.afterCommit(async () => {
      try {
        await this.#carryOut(id, { turn })
      } catch (error) {
        noted.failure = error
        this.#kernel.log.warn(`The stored files of ${key} could not be changed; that is tried again: ${error}`)
        this.onFailure()
      }
    })
    return noted
  }

  /**
   * Does what is due: what killed processes have left, and what has failed before. `now` is what counts as the time. Returns
   * how many lines were done, and how many have failed.
   */
  async recover(now = Date.now()): Promise<{ readonly done: number; readonly failed: number }> {
    let done = 0
    let failed = 0
    for (const { id, isUpload } of await this.#lines.findDue(now)) {
      if (this.#closing.signal.aborted || failed === mostFailures) break
      try {
        await this.#carryOut(id, { isAbandoned: isUpload, now, patience: 0 })
        done++
      } catch (error) {
        failed++
        this.#kernel.log.warn(`Files of an earlier upload could not be changed; that is tried again: ${error}`)
      }
    }
    return { done, failed }
  }

  /**
   * Does the work of a line, or waits until another has done it: when it resolves, nothing is left to be done. Of several
   * calls in this process one does the work. Rejects with what goes wrong.
   */
  async #carryOut(id: string, options: CarryOptions): Promise<void> {
    const { turn = null } = options
    for (let other = this.#running.get(id); turn === null && other !== undefined; other = this.#running.get(id))
      await other.catch(() => {})
    const running = this.#run(id, options)
    this.#running.set(id, running)
    try {
      await running
    } finally {
      if (this.#running.get(id) === running) this.#running.delete(id)
    }
  }

  async #run(id: string, { turn = null, isAbandoned, now, patience: most = patience }: CarryOptions): Promise<void> {
    const until = Date.now() + most
    for (let own = turn; ; ) {
      // The transaction that has taken the turn may have run for long.
      if (own !== null && Date.now() - own.since >= silentAfter) own = null
      const next = own ?? (await this.#lines.claim(id, { isAbandoned, now }))
      if (next === 'settled') return
      if (next === 'busy') {
        if (most === 0) return
        this.#closing.signal.throwIfAborted()
        if (Date.now() > until) throw new UnavailableError('Another change of the file has not ended')
        await sleep(pause)
        continue
      }
      const ended = await this.#attempt(next)
      if (ended === 'settled') return
      own = ended
    }
  }

  /** Does the work of a turn. Returns what `Lines.finish` returns. */
  async #attempt(turn: Turn): Promise<Turn | null | 'settled'> {
    const { work } = turn
    const renewing = new Renewing(() => this.#lines.renew(turn), turn.since)
    const signal = AbortSignal.any([renewing.signal, this.#closing.signal])
    try {
      signal.throwIfAborted()
      await this.#work(work, { signal, keepsContent: work.isDoubtful === true })
    } catch (error) {
      await renewing.end()
      // If this fails, too, the turn is taken over later.
      await this.#lines.release(turn).catch(() => {})
      throw signal.aborted ? signal.reason : error
    }
    await renewing.end()
    return this.#lines.finish(turn)
  }
}

interface CarryOptions {
  readonly turn?: Turn | null
  readonly isAbandoned?: boolean
  readonly now?: number
  /** Milliseconds that it waits for others; 0: what others do is left to them. */
  readonly patience?: number
}

/** Renews a turn until it is ended. The signal aborts when the turn could not be renewed in time. */
class Renewing {
  readonly #controller = new AbortController()
  readonly #renew: () => Promise<boolean>
  readonly #timer: NodeJS.Timeout
  #since: number
  #running: Promise<void> | null = null

  constructor(renew: () => Promise<boolean>, since: number) {
    this.#renew = renew
    this.#since = since
    this.#look()
    this.#timer = setInterval(() => this.#look(), renewal).unref()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  async end(): Promise<void> {
    clearInterval(this.#timer)
    await this.#running
  }

  #look(): void {
    const age = Date.now() - this.#since
    if (age > silentAfter) this.#controller.abort(new UnavailableError('The database does not respond'))
    else if (age >= renewal && this.#running === null) this.#running = this.#try()
  }

  /** Never rejects. */
  async #try(): Promise<void> {
    const from = Date.now()
    try {
      if (await this.#renew()) this.#since = from
      else this.#controller.abort(new UnavailableError('Another process has taken over the change of the file'))
    } catch {
      // The next look tries again, or finds that it is too late.
    }
    this.#running = null
  }
}
