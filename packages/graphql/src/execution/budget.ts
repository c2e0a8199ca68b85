// What the operations of one request may cost together, judged before anything is asked: fields, rows, and the size of
// what was fetched (security.md rows 70 to 72). It knows no text of operations and no HTTP.

import {
  type AnswerLimits,
  type Kernel,
  type NodeRows,
  sizeOf,
  tooManyBytes,
  tooManyEntries,
  ValidationError,
} from '@plinth/kernel'
import type { OperationLimits } from '../config.ts'
import { RefusedDocument } from '../operation/documents.ts'
import type { Size } from '../operation/limits.ts'
import { ofKernel, plainRefusal } from '../transport/errors.ts'

/** Throws RefusedDocument if the operations of a batch have more fields together than one may have. */
export function checkFields(sizes: readonly Size[], limits: OperationLimits): void {
  for (const count of ['roots', 'fields'] as const) {
    const sum = sizes.reduce((total, one) => total + one[count], 0)
    const what = count === 'roots' ? 'root fields' : 'fields'
    if (sum > limits[count])
      throw new RefusedDocument([
        plainRefusal(`The operations of the batch have ${sum} ${what}, and at most ${limits[count]} are allowed`),
      ])
  }
}

/** Throws RefusedDocument if that many rows are more than a request may fetch. */
export function checkRows({ reader }: Pick<Kernel, 'reader'>, rows: number): void {
  refuseRows(() => reader.checkRows(rows))
}

/** Runs `work`. If it refuses a query because of the rows that it may fetch, the whole request is refused. */
export function refuseRows<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof ValidationError && error.details !== null && 'maxRows' in error.details)
      throw new RefusedDocument([ofKernel(error)], false)
    throw error
  }
}

/** Results of queries that may fetch no more rows than this are not measured. */
const fewRows = 5000
/** So many values an answer may have: the objects of an answer that is executed need memory for each. */
const maxValues = 20_000_000

/** The query whose result is measured. */
interface Measured {
  /** The rows that it may fetch. */
  readonly cost: number
  /** The fields of its operation, each of which may show every entry. */
  readonly fields: number
}

/** Throws ValidationError if the answer with these rows would be too large: entries are shown once per parent. */
export function checkResult(rows: NodeRows, { cost, fields }: Measured, limits: AnswerLimits): void {
  if (cost <= fewRows) return
  const { entries, bytes } = sizeOf(rows)
  if (entries > limits.maxEntries) throw tooManyEntries(entries, limits)
  // Values that are shown under several names count as often; each has two bytes at least.
  const least = entries * fields > maxValues ? entries * fields * 2 : bytes
  if (least > limits.maxBytes || entries * fields > maxValues) throw tooManyBytes(least, limits)
}
