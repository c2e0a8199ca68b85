// The exchange between the executor and subscriptions: an operation that has begun, and the answers about changes.
// Knows no connections.

import type { RootSelection } from '../operation/selection.ts'
import type { Change } from './change.ts'
import type { ReadyOperation } from './prepared.ts'
import type { OperationRequest } from './request.ts'

/** A subscription that is valid, and whose caller may subscribe. */
export interface ValidSubscription {
  readonly ready: ReadyOperation
  readonly root: RootSelection
}

/** The answer that subscribers receive: its JSON text, and whether it is an error that ends the subscription. */
export interface ChangeAnswer {
  readonly text: string
  readonly isFinal: boolean
}

/** A subscription, its caller and a change. */
export interface ChangeRequest extends Pick<OperationRequest, 'context' | 'request'> {
  readonly subscribed: ValidSubscription
  readonly change: Change
}
