// What the operations of one request may cost together: fields, judged before anything is asked, rows, which are counted
// while they are read, and the size of what was fetched (security.md rows 70 to 72). It knows no text of operations and no
// HTTP.

import { type AnswerLimits, type NodeRows, type RowCount, sizeOf, tooManyBytes, tooManyEntries } from '@plinth/kernel'
import type { OperationLimits } from '../config.ts'
import { RefusedDocument } from '../operation/documents.ts'
import type { Size } from '../operation/limits.ts'
import type { Operation } from '../operation/operation.ts'
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

/**
 * Throws RefusedDocument if a read of the operation has exceeded the rows that a request may fetch: the whole operation is
 * refused. A mutation is not, because its other fields may have written; the field itself shows the error.
 */
export function checkRows({ refusal }: RowCount, { kind }: Pick<Operation, 'kind'>): void {
  if (refusal !== null && kind !== 'mutation') throw new RefusedDocument([ofKernel(refusal)], false)
}

/** Results of queries that are expected to fetch no more rows than this are not measured. */
const fewRows = 5000
/** So many values an answer may have: the objects of an answer that is executed need memory for each. */
const maxValues = 20_000_000

/** The query whose result is measured. */
interface Measured {
  /** An estimate of the rows that it fetches. */
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
