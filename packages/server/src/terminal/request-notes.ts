// Notes about one request for the terminal of a developer: its statements, which of them took long, and the reasons that
// its client is not told. Knows neither Fastify nor how lines look.

import type { ListSearch, StatementObserver } from '@plinth/kernel'

/** A statement, or several that were sent together, that took long. */
export interface SlowStatement {
  readonly text: string
  readonly milliseconds: number
}

/** The maximum number of reasons, slow statements and slow lists of a request that are kept. */
const maxKept = 8

/** Statements that are under way. */
interface RunningStatements {
  readonly texts: readonly string[]
  readonly since: number
}

/** The notes of one request. */
export class RequestNotes implements StatementObserver {
  readonly began = performance.now()
  readonly #slowAfter: number
  #statements = 0
  /** Statements that have not been sent. */
  #unsent: string[] = []
  /** The oldest first. */
  readonly #running: RunningStatements[] = []
  readonly #reasons = new Set<string>()
  readonly #slow: SlowStatement[] = []
  readonly #searches = new Set<ListSearch>()

  /** Statements and lists that take `slowAfter` milliseconds or more are noted. */
  constructor(slowAfter: number) {
    this.#slowAfter = slowAfter
  }

  get statements(): number {
    return this.#statements
  }

  get reasons(): ReadonlySet<string> {
    return this.#reasons
  }

  get slow(): readonly SlowStatement[] {
    return this.#slow
  }

  /** The sorting and the filters of the slow lists. */
  get searches(): ReadonlySet<ListSearch> {
    return this.#searches
  }

  onStatement(text: string): void {
    this.#statements++
    this.#unsent.push(text)
  }

  onBegin(): void {
    this.#running.push({ texts: this.#unsent, since: performance.now() })
    this.#unsent = []
  }

  /** Statements that one request sends beside each other rarely end in another order than they began. */
  onEnd(): void {
    const ended = this.#running.shift()
    if (ended === undefined) return
    const milliseconds = performance.now() - ended.since
    if (milliseconds < this.#slowAfter || this.#slow.length >= maxKept) return
    this.#slow.push({ text: ended.texts.join('; '), milliseconds })
  }

  /** Notes a list that was read. */
  addPage(search: ListSearch, milliseconds: number): void {
    if (milliseconds >= this.#slowAfter && this.#searches.size < maxKept) this.#searches.add(search)
  }

  /** Notes a reason, once. */
  addReason(reason: string): void {
    if (this.#reasons.size < maxKept) this.#reasons.add(reason)
  }
}
