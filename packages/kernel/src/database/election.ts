// Elects one process of all that work on a database, by an advisory lock on a connection of its own: the server gives the lock to
// the next one when that connection ends, whatever became of the process. Knows not what the elected process does.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Knex } from 'knex'
import type { Driver } from './driver.ts'
import { type Client, clientOf, type RawConnection } from './knex-internals.ts'

/** Milliseconds between attempts; an elected process lets the server see as often that its connection is in use. */
const interval = 30_000

/** Milliseconds that a connection may take to close. */
const waitTimeout = 1000

/** One process's part in the election. */
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

  /** Is this process the elected one? */
  get isElected(): boolean {
    return this.#connection !== null
  }

  /** Stands for election, now and from then on. Never throws: a process that cannot connect is not elected. */
  async start(): Promise<void> {
    await this.#stand()
    this.#timer = setInterval(() => {
      this.#turn = this.#turn.then(() => this.#stand())
    }, interval).unref()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#timer !== null) clearInterval(this.#timer)
    // A server that hangs must not keep the process from ending.
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
      // The lock must go with the connection.
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
    // A program that has done its work ends although it does not close the kernel.
    if (connection.unref !== undefined) connection.unref()
    else connection.stream?.unref?.()
  }

  /** Is the first value of the answer true? */
  async #ask(connection: RawConnection, text: string): Promise<boolean> {
    const [[value] = []] = await this.#driver.open(connection).all(text, [])
    return value === true || Number(value) === 1
  }

  /** A connection that cannot be closed properly has ended. */
  async #destroy(connection: RawConnection): Promise<void> {
    const closed = this.#client.destroyRawConnection(connection).catch(() => {})
    await Promise.race([closed, sleep(waitTimeout, undefined, { ref: false })])
  }
}
