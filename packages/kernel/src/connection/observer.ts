// Attributes statements to the callers that cause them. As long as no caller is observed, there is no AsyncLocalStorage for
// it, and no session has an observer.

import { AsyncLocalStorage } from 'node:async_hooks'
import type { StatementListener } from './session.ts'

/** Observes the statements that one caller causes (`kernel.observe`). Its functions must not throw. */
export interface StatementObserver {
  /** Called for each statement. On a server, a statement may wait here and be sent together with the next one. */
  onStatement(text: string): void
  /** Called when a statement is sent, or several at once: the database begins to work. */
  onBegin(): void
  /** Called once for each onBegin, when the result or the error has arrived. */
  onEnd(): void
}

/** The observers of the callers of one database. */
export class Observers {
  readonly #current = new AsyncLocalStorage<StatementObserver>()

  /** The observer of the caller; null if it is not observed. */
  get current(): StatementObserver | null {
    return this.#current.getStore() ?? null
  }

  /** Runs `work` as a caller that `observer` observes. Within another call, both observe it. */
  add<T>(observer: StatementObserver, work: () => T): T {
    const outer = this.#current.getStore()
    return this.run(outer === undefined ? observer : sharedObserver([outer, observer])!, work)
  }

  /** Runs `work` as a caller that `observer` alone observes: work of several callers has the observers of all. */
  run<T>(observer: StatementObserver, work: () => T): T {
    return this.#current.run(observer, work)
  }
}

/** The listener of a session whose statements `observer` observes: both are called. */
export function listenerFor(listener: StatementListener, observer: StatementObserver | null): StatementListener {
  if (observer === null) return listener
  if (listener === null) return text => observer.onStatement(text)
  return text => {
    listener(text)
    observer.onStatement(text)
  }
}

/** An observer that informs all of `observers`, for statements that several callers share; null if there are none. */
export function sharedObserver(observers: readonly StatementObserver[]): StatementObserver | null {
  if (observers.length < 2) return observers[0] ?? null
  return {
    onStatement(text) {
      for (const one of observers) one.onStatement(text)
    },
    onBegin() {
      for (const one of observers) one.onBegin()
    },
    onEnd() {
      for (const one of observers) one.onEnd()
    },
  }
}
