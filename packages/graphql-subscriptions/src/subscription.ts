// One subscription of one connection, and its place among the others: which type and entry it is about, and which
// operation it asks. It knows no socket.

import type { AnsweredError, ChangeSubscription } from '@plinth/graphql'
import type { Share } from '@plinth/server/transport'
import type { Caller } from './caller.ts'
import type { SharedText } from './outgoing.ts'

/** The connection of a subscription. */
export interface Subscriber {
  /** Sends an answer, which is the text of a JSON object. Other subscribers may be sent the same one. */
  next(id: string, answer: SharedText): void
  /** Ends a subscription. */
  fail(id: string, errors: readonly AnsweredError[]): void
  /**
   * Ends the connection with all its subscriptions, because the credentials are not valid any more. `isTemporary`: because
   * that could not be checked.
   */
  refuse(errors: readonly AnsweredError[], isTemporary: boolean): void
}

/** The parts of a subscription. */
interface SubscriptionParts {
  readonly caller: Caller
  readonly changes: ChangeSubscription
  readonly share: Pick<Share, 'claim' | 'remove'>
}

/** A subscription. */
export class Subscription {
  /** The name that the client has given it. */
  readonly id: string
  readonly subscriber: Subscriber
  readonly caller: Caller
  /** Its operation. */
  readonly changes: ChangeSubscription
  /** The share of its connection, which counts its variables. */
  readonly share: SubscriptionParts['share']
  /** True if it has ended. */
  isOver = false

  constructor(id: string, subscriber: Subscriber, { caller, changes, share }: SubscriptionParts) {
    this.id = id
    this.subscriber = subscriber
    this.caller = caller
    this.changes = changes
    this.share = share
  }

  /** Equal for subscriptions that ask the same. */
  get key(): string {
    return this.changes.key
  }
}
