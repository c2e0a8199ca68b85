// Logs what keeps a database from answering: once when it begins, once a minute while it lasts with the number of requests
// that were refused, and once when it is over. While it lasts, it asks the database every second. Knows no requests.

import { UnavailableError } from '../errors.ts'
import { type DatabaseState, markedError } from './state.ts'

/** Receives the lines. */
export interface OutageLog {
  error(message: string): void
  warn(message: string): void
}

/** The parts of the database that outages use. */
export interface OutageTools {
  /** The file or the address, without user and password. */
  readonly place: string
  readonly log: OutageLog
  /** Runs a short read on a table. */
  check(): Promise<unknown>
  /** Milliseconds since the epoch; the clock of the system if it is missing. */
  readonly now?: () => number
}

/** Milliseconds between two questions while a state lasts. */
const interval = 1000
/** Milliseconds between two lines. */
const lineInterval = 60_000
/** Milliseconds after the last error after which an answer of the database ends a state. */
const calm = 1000

interface Outage {
  readonly state: DatabaseState
  readonly since: number
  /** When the last error came. */
  lastAt: number
  saidAt: number
  /** Requests since the last line, and before it. */
  refused: number
  refusedBefore: number
}

export class Outages {
  readonly #tools: OutageTools
  readonly #now: () => number
  readonly #open = new Map<string, Outage>()
  /** The outage in which an error was noted first. */
  readonly #noted = new WeakMap<object, Outage>()
  #timer: NodeJS.Timeout | null = null
  #asking: Promise<unknown> | null = null
  #isOn = false

  constructor(tools: OutageTools) {
    this.#tools = tools
    this.#now = tools.now ?? Date.now
  }

  /** From now on, states are logged; the errors of a start have a line of their own. */
  start(): void {
    this.#isOn = true
  }

  /** Logs nothing any more. Waits for the question that is under way. */
  async close(): Promise<void> {
    this.#isOn = false
    this.#open.clear()
    this.#stop()
    await this.#asking
  }

  /** Takes note of an error that callers receive; returns it. */
  note<Noted>(error: Noted): Noted {
    if (error instanceof UnavailableError) this.#outageOf(error)
    return error
  }

  /** Returns whether an error, or a cause of it, stands for a state, which is logged. */
  isLogged(error: unknown): boolean {
    return this.#outageOf(error) !== null
  }

  /**
   * Counts a request that was refused because of an error, if it stands for a state. While the database is away, requests
   * wait for connections in vain: they count, too.
   */
  refuse(error: unknown): void {
    const others = error instanceof UnavailableError ? [...this.#open.values()] : []
    const outage = this.#outageOf(error) ?? others.find(({ state }) => !state.isOfWrites)
    if (outage !== undefined) outage.refused++
  }

  /** True if a state lasts of which only a write can show that it is over. */
  get isOfWrites(): boolean {
    if (this.#open.size === 0) return false
    return [...this.#open.values()].some(({ state }) => state.isOfWrites)
  }

  /** The database has run a statement on a table; `isWrite`: it has committed a write. */
  answered(isWrite: boolean): void {
    for (const outage of this.#open.values())
      if ((isWrite || !outage.state.isOfWrites) && this.#now() - outage.lastAt >= calm) this.#end(outage)
  }

  /**
   * The outage of an error, which begins with it; null if it stands for none. An error that is noted again when its outage
   * is over, because it has reached a caller or the log since, begins no other.
   */
  #outageOf(error: unknown): Outage | null {
    const marked = this.#isOn ? markedError(error) : null
    if (marked === null) return null
    const former = this.#noted.get(marked.error)
    if (former !== undefined) return former
    const now = this.#now()
    const outage = this.#open.get(marked.state.says) ?? this.#begin(marked.state, error, now)
    this.#noted.set(marked.error, outage)
    outage.lastAt = now
    return outage
  }

  #begin(state: DatabaseState, error: unknown, now: number): Outage {
    const outage: Outage = { state, since: now, lastAt: now, saidAt: now, refused: 0, refusedBefore: 0 }
    this.#open.set(state.says, outage)
    this.#timer ??= setInterval(() => this.tick(), interval).unref()
    this.#tools.log.error(
      `${this.#nameOf(outage)}${reasonOf(error)}. Requests that need it are refused; this is logged once a minute`,
    )
    return outage
  }

  /** Writes the lines that are due, and asks whether the states are over; called every second while one lasts. */
  tick(): void {
    const now = this.#now()
    for (const outage of this.#open.values()) {
      if (now - outage.saidAt < lineInterval) continue
      // Nobody has met it for a minute.
      if (now - outage.lastAt >= lineInterval) this.#end(outage)
      else this.#sayOn(outage, now)
    }
    if (this.#open.size > 0) this.#asking ??= this.#ask()
  }

  async #ask(): Promise<void> {
    try {
      await this.#tools.check()
      this.answered(false)
    } catch {
      // The error was noted where it arose.
    } finally {
      this.#asking = null
    }
  }

  #sayOn(outage: Outage, now: number): void {
    const { refused, refusedBefore } = outage
    const all = refused + refusedBefore
    this.#tools.log.error(`${this.#nameOf(outage)}: ${refused} requests refused in the last minute, ${all} in all`)
    Object.assign(outage, { saidAt: now, refused: 0, refusedBefore: all })
  }

  #end(outage: Outage): void {
    const { state, since, lastAt, refused, refusedBefore } = outage
    this.#open.delete(state.says)
    if (this.#open.size === 0) this.#stop()
    const times = `from ${isoOf(since)} to ${isoOf(lastAt)}`
    this.#tools.log.warn(
      `The database answers again: ${this.#tools.place}. "${state.says}" was true ${times}; ${refused + refusedBefore} requests were refused`,
    )
  }

  #stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
  }

  #nameOf({ state, since }: Outage): string {
    return `${state.says}: ${this.#tools.place}, since ${isoOf(since)}`
  }
}

const isoOf = (time: number) => new Date(time).toISOString()

/** The first cause of an error, in parentheses. The statement that knex writes before a message is left out. */
function reasonOf(error: unknown): string {
  let cause = error as { readonly code?: unknown; readonly message?: unknown; readonly cause?: unknown }
  while (typeof cause.cause === 'object' && cause.cause !== null) cause = cause.cause as typeof cause
  const message = String(cause.message ?? '')
    .split(' - ')
    .at(-1)!
  const code = cause instanceof UnavailableError ? undefined : cause.code
  const reason = [code, message].filter(one => one !== undefined && one !== '').join(': ')
  return reason === '' ? '' : ` (${reason})`
}
