// Requests that are to fail in a test, and the wait for a request.

import type { Operation } from './operations.ts'

/** The treatment of a request that is to fail. */
export type Fault =
  /** It is answered with this error, and does nothing. */
  | { readonly status: number; readonly code: string }
  /** Its connection is closed, and it does nothing. */
  | 'reset'
  /** It is not read and not answered. */
  | 'stall'
  /** It does its work, and its connection is closed before the answer. */
  | 'lost'
  /** It does its work, and is not answered. */
  | 'late'
  /** It does nothing, and is answered with status 200 and an error in the body, as S3 may answer CompleteMultipartUpload. */
  | 'error-in-200'
  /** It does nothing, and is answered with status 200 and a page, as by a proxy. */
  | 'page'

interface Rule {
  readonly operation: Operation
  readonly fault: Fault
  /** The number of requests of the operation that pass before. */
  passing: number
  /** The number of requests that fail after them. */
  left: number
}

export class Faults {
  readonly #rules: Rule[] = []
  readonly #counts = new Map<Operation, number>()
  readonly #waiting: { operation: Operation; count: number; resolve: () => void }[] = []

  /** The `nth` request of the operation from now on fails, and those after it up to `times`. */
  add(operation: Operation, fault: Fault, { nth = 1, times = 1 }: { nth?: number; times?: number } = {}): void {
    this.#rules.push({ operation, fault, passing: nth - 1, left: times })
  }

  clear(): void {
    this.#rules.length = 0
  }

  /** Counts a request. Returns what is to happen to it. */
  next(operation: Operation): Fault | null {
    const count = (this.#counts.get(operation) ?? 0) + 1
    this.#counts.set(operation, count)
    for (const one of this.#waiting) if (one.operation === operation && one.count <= count) one.resolve()
    let fault: Fault | null = null
    for (const rule of this.#rules.filter(one => one.operation === operation)) {
      if (rule.passing > 0) rule.passing--
      else if (rule.left > 0 && fault === null) {
        rule.left--
        fault = rule.fault
      }
    }
    return fault
  }

  /** Returns the number of requests of the operation until now. */
  count(operation: Operation): number {
    return this.#counts.get(operation) ?? 0
  }

  /** Resolves when there were `count` requests of the operation in all. */
  reached(operation: Operation, count: number): Promise<void> {
    if (this.count(operation) >= count) return Promise.resolve()
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.push({ operation, count, resolve })
    return promise
  }
}
