// Counts the rows that reads fetch for one request, while they fetch them. Knows no statements and no transport.

import { ValidationError } from './errors.ts'

const help = 'request a smaller page, limit what is populated, or populate less'

/**
 * The rows that reads have fetched together, and the most that they may fetch. Each row of a statement counts: an entry, a
 * component, a link of a polymorphic relation, a counted relation, a value of a `meta`. Totals of lists do not count. A read
 * whose context has no count counts for itself (`Context.rowCount`).
 */
export class RowCount {
  readonly maxRows: number
  #rows = 0
  #refusal: ValidationError | null = null

  /** `maxRows`: Infinity counts without a limit. */
  constructor(maxRows: number) {
    this.maxRows = maxRows
  }

  /** The rows that were fetched. */
  get rows(): number {
    return this.#rows
  }

  /** The number of rows that may still be fetched. */
  get left(): number {
    return Math.max(0, this.maxRows - this.#rows)
  }

  /** The error of the read that exceeded the limit; null if none has. */
  get refusal(): ValidationError | null {
    return this.#refusal
  }

  /** Adds rows that were fetched. Throws ValidationError if they are too many, and for all rows after that. */
  add(rows: number): void {
    this.#rows += rows
    if (this.#refusal === null && this.#rows > this.maxRows) this.#refusal = tooManyRows(this.maxRows)
    if (this.#refusal !== null) throw this.#refusal
  }

  /** Takes back the rows of a read that failed: it may begin again. */
  remove(rows: number): void {
    this.#rows -= rows
  }
}

/** 400: reading ends with the first row beyond the limit, so nobody knows how many there are (security.md row 39). */
function tooManyRows(maxRows: number): ValidationError {
  const rows = maxRows + 1
  return new ValidationError(
    `Query too expensive: it fetches at least ${rows} rows, but the limit is ${maxRows}; ${help}`,
    {
      rows,
      maxRows,
    },
  )
}
