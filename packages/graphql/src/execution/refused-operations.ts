// Operations that are refused as a whole: those of a kind that the transport does not take, and the answers to them and
// to all others that are not executed. It knows no rows.

import { type AnswerLimits, tooManyBytes } from '@plinth/kernel'
import { type AnsweredError, ofKernel, plainRefusal, refusal, withinRoom } from '../operation/errors.ts'
import type { Operation } from '../operation/operation.ts'
import { RefusedDocument } from '../operation/refused-document.ts'
import { VariableErrors } from '../operation/variables.ts'

/** An answer: its status, if it is sent by HTTP, and the JSON text of its body. */
export interface OperationAnswer {
  readonly status: number
  readonly text: string
  /** True if a mutation has run: then the answer is sent even if the server has no room for it. */
  readonly hasChanged?: boolean
}

/** The kind of operations that is allowed: only queries, as with GET, or only subscriptions, as over a WebSocket. */
export type AllowedKind = 'queries' | 'subscriptions'

/** Refuses an operation of a kind that is not allowed; without `only` a subscription is not. Throws RefusedDocument. */
export function checkKind(operation: Operation, only: AllowedKind | undefined): void {
  if (only === 'queries' && operation.kind !== 'query') throw new MethodRefusal()
  if (only === 'subscriptions' && operation.kind !== 'subscription')
    throw new RefusedDocument([plainRefusal('Queries and mutations are sent by POST, not over a WebSocket.')])
  if (operation.kind === 'subscription' && (only !== 'subscriptions' || !operation.isInSchema))
    throw new RefusedDocument([
      operation.isInSchema
        ? plainRefusal('Subscriptions are sent over a WebSocket.')
        : refusal(operation.error('Schema is not configured for subscriptions.'), 'INTERNAL_SERVER_ERROR'),
    ])
}

/** A mutation by GET. */
class MethodRefusal extends RefusedDocument {
  override readonly status = 405

  constructor() {
    super([plainRefusal('GET supports only query operation')])
  }
}

/** The answer to an operation that is refused as a whole; its errors have `room` bytes. Throws errors of the server. */
export function refusalOf(error: unknown, room?: number): OperationAnswer {
  const errors = errorsOf(error)
  if (errors === null) throw error
  const status = error instanceof RefusedDocument ? error.status : 400
  return { status, text: JSON.stringify({ errors: withinRoom(errors, room) }) }
}

/** The errors of an operation that is refused as a whole; null for an error of the server. */
export function errorsOf(error: unknown): readonly AnsweredError[] | null {
  if (error instanceof RefusedDocument) return error.errors
  return error instanceof VariableErrors ? error.errors.map(one => refusal(one, 'BAD_USER_INPUT')) : null
}

/** The answer to an operation whose own answer is too long. */
export function tooLong(length: number, limits: AnswerLimits): OperationAnswer {
  const errors = [ofKernel(tooManyBytes(length, limits))]
  return { status: 200, text: JSON.stringify({ errors, data: null }) }
}
