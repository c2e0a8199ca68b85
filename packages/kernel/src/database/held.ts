// A writing connection kept from the moment an update looks at its entry until it is done: no other writer of this process
// comes between the look and the change.

/** Takes one connection at most, and only when it is asked for. Work on it runs one after the other. */
export class HeldConnection<Connection> {
  readonly #acquire: () => Promise<Connection>
  readonly #release: (connection: Connection) => void
  #connection: Promise<Connection> | null = null
  #turns: Promise<unknown> = Promise.resolve()
  #isOpen = true

  constructor(acquire: () => Promise<Connection>, release: (connection: Connection) => void) {
    this.#acquire = acquire
    this.#release = release
  }

  /** False once the work it was made for is done: what outlives it is on its own. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Does it hold a connection already? */
  get isTaken(): boolean {
    return this.#connection !== null
  }

  run<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const turn = this.#turns.then(async () => {
      this.#connection ??= this.#acquire()
      return work(await this.#connection)
    })
    this.#turns = turn.catch(() => {})
    return turn
  }

  /** Waits for what still runs, then gives the connection back. */
  async close(): Promise<void> {
    this.#isOpen = false
    await this.#turns
    if (this.#connection !== null) await this.#connection.then(this.#release, () => {})
  }
}
