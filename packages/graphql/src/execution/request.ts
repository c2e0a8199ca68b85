// Declares what a transport passes with an operation: its caller, the limits that it shares with others, and its request.

import type { Context, RowCount } from '@plinth/kernel'
import type { OperationInput } from '../operation/operation-input.ts'
import type { AllowedKind } from './refused-operations.ts'
import type { SharedReads } from './run.ts'

/** An operation with its caller. */
export interface OperationRequest {
  readonly input: OperationInput
  readonly context: Context
  /** The request, for resolvers of extensions. */
  readonly request: unknown
  /** The queries of a batch, which its operations share; null for a single operation. */
  readonly reads: SharedReads | null
  /** The rows of a batch, which its operations share. */
  readonly rowCount?: RowCount
  /** Without it, all but subscriptions are allowed. */
  readonly only?: AllowedKind
  /** Counts the bytes of large variables, which are there until the request is answered. Throws PlinthError. */
  readonly claimVariables?: (bytes: number) => void
  /** Bytes that its errors may have; the operations of a batch share those of an answer. */
  readonly errorRoom?: number
}
