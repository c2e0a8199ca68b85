// The limits on what the operations of one request may cost together: fields, checked before anything is asked, rows,
// which are counted while they are read, and the size of what was fetched (security.md rows 70 to 72). Knows no text of
// operations and no HTTP.

import {
  type AnswerLimits,
  type Context,
  type NodeRows,
  type RowCount,
  sizeOf,
  tooManyBytes,
  tooManyEntries,
} from '@plinth/kernel'
import { Share } from '@plinth/server/transport'
import type { OperationLimits } from '../config.ts'
import { ofKernel, plainRefusal } from '../operation/errors.ts'
import type { Size } from '../operation/limits.ts'
import type { Operation } from '../operation/operation.ts'
import type { OperationInput } from '../operation/operation-input.ts'
import { RefusedDocument } from '../operation/refused-document.ts'
import { checkVariables } from '../operation/variables.ts'

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
/** Maximum number of values in an answer: the objects of an answer that is executed need memory for each. */
const maxValues = 20_000_000

/** The query whose result is measured. */
interface MeasuredQuery {
  /** An estimate of the rows that it fetches. */
  readonly cost: number
  /** The fields of its operation, each of which may show every entry. */
  readonly fields: number
}

/** Throws ValidationError if the answer with these rows would be too large: entries are shown once per parent. */
export function checkResult(rows: NodeRows, { cost, fields }: MeasuredQuery, limits: AnswerLimits): void {
  if (cost <= fewRows) return
  const { entries, bytes } = sizeOf(rows)
  if (entries > limits.maxEntries) throw tooManyEntries(entries, limits)
  // Values that are shown under several names count as often; each has two bytes at least.
  const least = entries * fields > maxValues ? entries * fields * 2 : bytes
  if (least > limits.maxBytes || entries * fields > maxValues) throw tooManyBytes(least, limits)
}

/** The share of the request in the server's budget of bytes; null if nobody counts them, as in code. */
export function shareIn({ share }: Context): Share | null {
  return share instanceof Share ? share : null
}

/**
 * Throws the error of a read of the operation for whose rows the server had no room: the whole operation is a 503. A mutation
 * is not, because its other fields may have written; the field itself shows the error.
 */
export function checkRoom({ context }: { readonly context: Context }, { kind }: Pick<Operation, 'kind'>): void {
  const refusal = kind === 'mutation' ? null : (shareIn(context)?.refusal ?? null)
  if (refusal !== null) throw refusal
}

/** Variables with fewer bytes are not counted in the budget of the process. */
const fewBytes = 64 * 1024

/** Checks the variables of a request before anything is done with them. Throws RefusedDocument and PlinthError. */
export function claimVariables(
  inputs: readonly OperationInput[],
  { variables }: OperationLimits,
  request: { readonly claimVariables?: ((bytes: number) => void) | undefined },
): void {
  const bytes = checkVariables(
    inputs.map(one => one.variables),
    variables,
  )
  if (bytes > fewBytes) request.claimVariables?.(bytes)
}
