// Supervises statements that run for long, with one timer for all connections of a pool that runs only while one is in
// use. It cancels reads whose client no longer waits and reads that keep others from connections, and closes
// connections whose server does not answer. Time is counted in sweeps, not in milliseconds, so that a pause of this
// process does not age statements.

import { awayError, UnavailableError } from '@plinth/kernel/database'
import type { Cancel, ServerSession } from './server-session.ts'
import type { ServerUsage } from './usage.ts'

/** Milliseconds between two sweeps. */
const interval = 250
/** Milliseconds that the server gets to end a statement by its own limit, and to end a cancelled one. */
const grace = 1000
const cancelGrace = 2000

/** The functions and settings of the pool that a sweep uses. */
export interface SweptPool {
  readonly cancel: Cancel
  /** Milliseconds that a statement may take; 0: no limit. */
  readonly statementTimeout: number
  /** Slow reads that may run while others wait. */
  readonly share: number
  /** Returns whether callers wait because others use the connections. */
  isCrowded(): boolean
  /** Called for each slow read with its shape. */
  onSlow(shape: object): void
  /** Called at each sweep. */
  onSweep(): void
  /** Marks the connection of a session so that it is closed and not used again. */
  discard(session: ServerSession, why: unknown): void
  /** Closes the connection of a session at once. */
  destroy(session: ServerSession, why: Error): void
}

/** Watches the sessions of one pool. */
export class Sweep {
  readonly #pool: SweptPool
  readonly #sessions = new Set<ServerSession>()
  readonly #cancelled = new WeakSet<ServerSession>()
  #timer: NodeJS.Timeout | null = null
  #cancelling: Promise<unknown> = Promise.resolve()
  /** The number of cancellations under way to the server. */
  #requests = 0

  constructor(pool: SweptPool) {
    this.#pool = pool
  }

  /** Starts watching a session. */
  add(session: ServerSession): void {
    this.#sessions.add(session)
    const { usage } = session
    usage.interrupt = error => this.#interrupt(session, error)
    // A read that waits for room keeps its connection, and others like it would take the rest.
    usage.onPause = () => this.#noteSlow(usage)
  }

  /** Stops watching a session. */
  delete(session: ServerSession): void {
    this.#sessions.delete(session)
  }

  /** Starts the timer; called when a connection is acquired. */
  start(): void {
    this.#timer ??= setInterval(() => this.#sweep(), interval).unref()
  }

  /** Stops the timer for good. */
  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
    await this.#cancelling
  }

  #sweep(): void {
    const takenSessions = [...this.#sessions].filter(({ usage }) => usage.isTaken)
    this.#pool.onSweep()
    if (takenSessions.length === 0 && this.#timer !== null) {
      clearInterval(this.#timer)
      this.#timer = null
    }
    const ended: ServerSession[] = []
    const cancelled = takenSessions.filter(session => this.#cancelled.has(session))
    for (const session of takenSessions) if (this.#look(session)) ended.push(session)
    if (this.#pool.isCrowded()) ended.push(...this.#crowd(takenSessions))
    if (ended.length > 0) this.#cancel(ended)
    // A server ignores a cancellation that arrives before the statement, so it is repeated while the statement runs.
    if (this.#requests === 0) this.#request(cancelled)
  }

  /** Returns whether the statement of this session is to be cancelled. */
  #look(session: ServerSession): boolean {
    const { usage } = session
    usage.age()
    if (usage.isSlow) this.#noteSlow(usage)
    if (this.#cancelled.has(session)) {
      if (usage.stalled * interval > cancelGrace) this.#destroy(session)
      return false
    }
    if (usage.isReading && usage.isAbandoned?.() === true)
      return refuse(usage, 'The client no longer waits for the answer')
    const { statementTimeout } = this.#pool
    if (statementTimeout === 0 || usage.isUnlimited) return false
    const late = usage.stalled * interval - statementTimeout
    if (late <= grace) return false
    usage.refusal = awayError('The database does not respond')
    if (usage.isCommitting) this.#destroy(session)
    return !usage.isCommitting
  }

  #noteSlow({ shape }: ServerUsage): void {
    if (shape !== null) this.#pool.onSlow(shape)
  }

  /**
   * Refuses slow reads, and those that wait for room, beyond their share. The oldest ones go on, because they may end
   * soon.
   */
  #crowd(sessions: readonly ServerSession[]): ServerSession[] {
    const slow = sessions.filter(({ usage }) => usage.isReading && usage.refusal === null && isHeld(usage))
    slow.sort((a, b) => b.usage.sweeps - a.usage.sweeps)
    const ended = slow.slice(this.#pool.share)
    for (const { usage } of ended) usage.refusal = crowdedOut(usage)
    return ended
  }

  #cancel(sessions: readonly ServerSession[]): void {
    for (const session of sessions) {
      this.#cancelled.add(session)
      const { isWithoutRoom, refusal } = session.usage
      // A cancellation may arrive late and would hit the next statement on this connection.
      this.#pool.discard(session, refusal)
      // The end of the statement could only be read behind its other rows, for which there is no room.
      if (isWithoutRoom) this.#pool.destroy(session, refusal!)
    }
    this.#request(sessions)
  }

  /** Asks the server to cancel those statements of the sessions that are running. */
  #request(sessions: readonly ServerSession[]): void {
    const running = sessions.filter(({ usage }) => usage.isRunning && !usage.isWithoutRoom)
    if (running.length === 0) return
    this.#requests++
    // If the cancellation fails, the connection is closed later, because the statement is still running.
    this.#cancelling = this.#pool
      .cancel(running)
      .catch(() => {})
      .finally(() => {
        this.#requests--
      })
  }

  #interrupt(session: ServerSession, error: UnavailableError): Promise<unknown> {
    session.usage.refusal ??= error
    this.#cancel([session])
    return this.#cancelling
  }

  #destroy(session: ServerSession): void {
    this.#pool.discard(session, session.usage.refusal)
    const why = Object.assign(new Error('The database does not respond'), { code: 'ETIMEDOUT' })
    this.#pool.destroy(session, why)
  }
}

/** Returns whether a read keeps its connection for long, or until there is room. */
function isHeld(usage: ServerUsage): boolean {
  return usage.isSlow || usage.isWithoutRoom
}

/** Returns the error of a read that has to give its connection to others. */
function crowdedOut({ isWithoutRoom, bytes }: ServerUsage): UnavailableError {
  if (isWithoutRoom && bytes !== null) return bytes.refuse()
  const message = 'The query took too long while other requests waited for a database connection'
  return new UnavailableError(message, { isOverload: true })
}

function refuse(usage: ServerUsage, message: string): true {
  usage.refusal = new UnavailableError(message)
  return true
}
