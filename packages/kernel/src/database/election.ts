// Elects one of all processes that use a database, by an advisory lock on a dedicated connection. When that connection
// ends for any reason, the server gives the lock to the next process. Does not depend on what the elected process does.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Knex } from 'knex'
import type { Driver } from './driver.ts'
import { type Client, clientOf, type RawConnection } from './knex-internals.ts'

/**
 * Milliseconds between attempts; the elected process runs a statement as often, so that the server sees its connection
 * in use.
 */
const interval = 30_000

/** Milliseconds that a connection may take to close. */
const waitTimeout = 1000

/** The election as one process takes part in it. */
export class Election {
  readonly #client: Client
  readonly #driver: Driver
  #connection: RawConnection | null = null
  #turn: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | null = null
  #isClosed = false

  constructor(knex: Knex, driver: Driver) {
    this.#client = clientOf(knex)
    this.#driver = driver
  }

  /** Whether this process is elected. */
  get isElected(): boolean {
    return this.#connection !== null
  }

  /** Takes part in the election from now on. Never throws: a process that cannot connect is not elected. */
  async start(): Promise<void> {
    await this.#stand()
    this.#timer = setInterval(() => {
      this.#turn = this.#turn.then(() => this.#stand())
    }, interval).unref()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#timer !== null) clearInterval(this.#timer)
    // A server that does not respond must not keep the process from ending.
    await Promise.race([this.#turn, sleep(waitTimeout, undefined, { ref: false })])
    const connection = this.#connection
    this.#connection = null
    if (connection !== null) await this.#destroy(connection)
  }

  async #stand(): Promise<void> {
    if (this.#isClosed) return
    try {
      if (this.#connection === null) await this.#run()
      else await this.#ask(this.#connection, 'SELECT 1')
    } catch {
      // Closing the connection releases the lock.
      const connection = this.#connection
      this.#connection = null
      if (connection !== null) await this.#destroy(connection)
    }
  }

  async #run(): Promise<void> {
    const connection = await this.#client.acquireRawConnection()
    const resign = () => {
      if (this.#connection === connection) this.#connection = null
    }
    for (const event of ['end', 'error', 'close']) connection.on(event, resign)
    const isFree = await this.#ask(connection, this.#driver.electionText!).catch(() => false)
    if (isFree !== true || this.#isClosed) return this.#destroy(connection)
    this.#connection = connection
    // The connection does not keep a process alive that ends without closing the kernel.
    if (connection.unref !== undefined) connection.unref()
    else connection.stream?.unref?.()
  }

  /** Whether the first value of the result is true. */
  async #ask(connection: RawConnection, text: string): Promise<boolean> {
    const [[value] = []] = await this.#driver.open(connection).all(text, [])
    return value === true || Number(value) === 1
  }

  /** Closes a connection. One that cannot be closed properly has ended. */
  async #destroy(connection: RawConnection): Promise<void> {
    const closed = this.#client.destroyRawConnection(connection).catch(() => {})
    await Promise.race([closed, sleep(waitTimeout, undefined, { ref: false })])
  }
}
