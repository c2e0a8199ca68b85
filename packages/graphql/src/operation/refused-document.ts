// Declares the error of an operation that is refused before it runs. It knows no texts.

import type { AnsweredError } from './errors.ts'

/** A document that is refused. */
export class RefusedDocument extends Error {
  /** The status of the answer. */
  readonly status: number = 400
  readonly errors: readonly AnsweredError[]
  /** True if the same text is always refused. The refusal of a literal by a plugin may depend on the database. */
  readonly isFinal: boolean

  constructor(errors: readonly AnsweredError[], isFinal = true) {
    super('The document is refused')
    this.errors = errors
    this.isFinal = isFinal
  }
}
