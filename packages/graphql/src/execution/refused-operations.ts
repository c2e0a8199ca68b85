// Operations that are refused as a whole: those of a kind that the transport does not take, and the answers to them and
// to all others that are not executed. It knows no rows.

import { type AnswerLimits, tooManyBytes } from '@plinth/kernel'
import { RefusedDocument } from '../operation/documents.ts'
import { type Operation, VariableErrors } from '../operation/operation.ts'
import { ofKernel, plainRefusal, refusal } from '../transport/errors.ts'

/** An answer: its status, if it is sent by HTTP, and the JSON text of its body. */
export interface OperationAnswer {
  readonly status: number
  readonly text: string
}

/** Whether only queries are allowed, as with GET, or only subscriptions, as over a WebSocket. */
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

/** The answer to an operation that is refused as a whole. Throws errors of the server. */
export function refusalOf(error: unknown): OperationAnswer {
  if (error instanceof RefusedDocument) return { status: error.status, text: JSON.stringify({ errors: error.errors }) }
  if (!(error instanceof VariableErrors)) throw error
  const errors = error.errors.map(one => refusal(one, 'BAD_USER_INPUT'))
  return { status: 400, text: JSON.stringify({ errors }) }
}

/** The answer to an operation whose own answer is too long. */
export function tooLong(length: number, limits: AnswerLimits): OperationAnswer {
  const errors = [ofKernel(tooManyBytes(length, limits))]
  return { status: 200, text: JSON.stringify({ errors, data: null }) }
}
