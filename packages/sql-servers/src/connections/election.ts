// Elects one of all processes that use a database, by an advisory lock on a dedicated connection. When that connection
// ends for any reason, the server gives the lock to the next process. Does not depend on what the elected process does.

import { setTimeout as sleep } from 'node:timers/promises'
import type { DriverSession, Pool, RawConnection } from '@plinth/kernel/database'
import type { Elect } from './server-session.ts'

/**
 * Milliseconds between attempts; the elected process runs a statement as often, so that the server sees its connection
 * in use.
 */
const interval = 30_000

/** Milliseconds that close() waits for an attempt. */
const waitTimeout = 1000

/** The election as one process takes part in it. */
export class Election {
  readonly #pool: Pool
  readonly #elect: Elect
  /** The session that holds the lock; null if this process is not elected. */
  #session: DriverSession | null = null
  /** A connection that was opened before the election began. */
  #spare: RawConnection | null = null
  #turn: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | null = null
  #isClosed = false

  constructor(pool: Pool, elect: Elect) {
    this.#pool = pool
    this.#elect = elect
  }

  /** True if this process is elected. */
  get isElected(): boolean {
    return this.#session !== null
  }

  /** Opens the connection for the first attempt before start(). Throws the driver's error. */
  async open(): Promise<RawConnection> {
    this.#spare ??= await this.#pool.openBeside()
    return this.#spare
  }

  /** Takes part in the election from now on. Never throws: a process that cannot connect is not elected. */
  async start(): Promise<void> {
    await this.#tryElection()
    this.#timer = setInterval(() => {
      this.#turn = this.#turn.then(() => this.#tryElection())
    }, interval).unref()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#timer !== null) clearInterval(this.#timer)
    // A server that does not respond must not keep the process from ending.
    await this.#untilIdle()
    const open = [this.#session?.connection, this.#spare]
    this.#session = null
    this.#spare = null
    for (const connection of open) if (connection) await this.#destroy(connection as RawConnection)
  }

  /** Waits for the attempt under way. The timer keeps the process running: the connection itself does not. */
  async #untilIdle(): Promise<void> {
    const stopped = new AbortController()
    const late = sleep(waitTimeout, undefined, stopped).catch(() => {})
    await Promise.race([this.#turn, late])
    stopped.abort()
  }

  async #tryElection(): Promise<void> {
    if (this.#isClosed) return
    try {
      if (this.#session === null) await this.#run()
      else await this.#session.all('SELECT 1', [])
    } catch {
      // Closing the connection releases the lock.
      const session = this.#session
      this.#session = null
      if (session !== null) await this.#destroy(session.connection as RawConnection)
    }
  }

  async #run(): Promise<void> {
    const connection = await this.#takeSpare()
    const session = this.#pool.sessionOn(connection)
    const resign = () => {
      if (this.#session === session) this.#session = null
    }
    for (const event of ['end', 'error', 'close']) connection.on(event, resign)
    const isFree = await this.#isGiven(session).catch(() => false)
    if (!isFree || this.#isClosed) return this.#destroy(connection)
    this.#session = session
    // From now on the connection does not keep a process alive that ends without closing the kernel.
    this.#pool.socketOf(connection)?.unref()
  }

  async #takeSpare(): Promise<RawConnection> {
    const spare = this.#spare
    this.#spare = null
    if (spare !== null && !this.#pool.isDiscarded(spare)) return spare
    return this.#pool.openBeside()
  }

  /** Returns whether the server gave the lock to the session. */
  async #isGiven(session: DriverSession): Promise<boolean> {
    const [[value] = []] = await this.#elect(session)
    return value === true || Number(value) === 1
  }

  /** Closes a connection. One that cannot be closed properly has ended. */
  async #destroy(connection: RawConnection): Promise<void> {
    await this.#pool.destroyBeside(connection).catch(() => {})
  }
}
