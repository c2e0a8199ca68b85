// What the executor exchanges with subscriptions: an operation that has begun, and the answers about changes. It knows no
// connections.

import type { RootSelection } from '../operation/selection.ts'
import type { Change } from './change.ts'
import type { ReadyOperation } from './prepared.ts'
import type { OperationRequest } from './request.ts'

/** A subscription that is valid, and whose caller may subscribe. */
export interface Subscribed {
  readonly ready: ReadyOperation
  readonly root: RootSelection
}

/** What subscribers receive: the JSON text of the answer, and whether it is an error that ends the subscription. */
export interface ChangeAnswer {
  readonly text: string
  readonly isFinal: boolean
}

/** A subscription, its caller and a change. */
export interface ChangeRequest extends Pick<OperationRequest, 'context' | 'request'> {
  readonly subscribed: Subscribed
  readonly change: Change
}
