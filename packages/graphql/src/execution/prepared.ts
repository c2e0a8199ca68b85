// Keeps operations with their prepared queries, by the rights of the caller and the text of the body: front ends repeat a
// few dozen bodies, whose JSON then need not be parsed again.

import type { PreparedRead } from '@plinth/kernel'
import { LRUCache } from 'lru-cache'
import type { Variables } from '../operation/arguments.ts'
import type { Operation } from '../operation/operation.ts'
import type { Question } from '../operation/question.ts'
import type { OperationSelection } from '../operation/selection.ts'

/** A query that can run again for callers with the same rights. */
export interface ReadyRead {
  readonly question: Question
  readonly prepared: PreparedRead
  /** True if its plan has all that the answer shows, so that it can be written as text. */
  readonly isComplete: boolean
}

/** An operation with its variables. */
export interface ReadyOperation {
  readonly operation: Operation
  readonly variables: Variables
  /** The variables as they were sent. */
  readonly sentVariables: Variables
  readonly selection: OperationSelection
  /** Prepared queries by the names of their fields in the answer. A run adds those of which nothing was refused. */
  readonly reads: Map<string, ReadyRead>
}

/** Longer bodies are not kept: they are rare, and callers can make any number of them. */
const maxKeptLength = 8192

/** The operations that one endpoint keeps. */
export class PreparedOperations {
  readonly #operations = new LRUCache<string, ReadyOperation>({
    max: 2000,
    maxSize: 16 * 1024 * 1024,
    // The plans belong to the kernel; parameters and values are about as long as the text. A body without variables is the
    // only one with its operation, whose selection has some 20 bytes per character, and 50 with the syntax tree of one that
    // is executed.
    sizeCalculation: ({ operation, reads }, key) =>
      3000 + (operation.hasVariables ? 12 : 60) * key.length + 1000 * reads.size,
  })

  find(rights: string, body: string): ReadyOperation | undefined {
    return body.length > maxKeptLength ? undefined : this.#operations.get(`${rights}\n${body}`)
  }

  keep(rights: string, body: string, operation: ReadyOperation): void {
    if (body.length <= maxKeptLength) this.#operations.set(`${rights}\n${body}`, operation)
  }
}
