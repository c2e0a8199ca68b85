// One subscription of one connection, and its place among the others: which type and entry it is about, and which
// operation it asks. It knows no socket.

import { createHash } from 'node:crypto'
import type { Subscribed } from '../execution/subscribed.ts'
import { idOf } from '../execution/ids.ts'
import type { AnsweredError } from '../transport/errors.ts'
import type { OperationInput } from '../transport/input.ts'
import type { Caller } from './caller.ts'

/** The connection of a subscription. */
export interface Subscriber {
  /** Sends an answer, which is the text of a JSON object. */
  next(id: string, text: string): void
  /** Ends a subscription. */
  fail(id: string, errors: readonly AnsweredError[]): void
  /** Ends the connection with all its subscriptions, because the credentials are not valid any more. */
  refuse(errors: readonly AnsweredError[]): void
}

/** A subscription. */
export class Subscription {
  /** The name that the client has given it. */
  readonly id: string
  readonly subscriber: Subscriber
  readonly caller: Caller
  readonly subscribed: Subscribed
  /** Equal for subscriptions that ask the same. */
  readonly key: string
  /** The entry that it is about; undefined for all entries of the type, null for an id that no entry can have. */
  readonly entry: number | null | undefined
  /** Roughly the bytes of memory that it holds. */
  readonly size: number
  /** Whether it has ended. */
  isOver = false

  constructor(id: string, subscriber: Subscriber, { caller, input, subscribed }: SubscriptionSource) {
    const { query, operationName, variables } = input
    const sent = JSON.stringify([operationName, variables, query])
    this.id = id
    this.subscriber = subscriber
    this.caller = caller
    this.subscribed = subscribed
    this.key = createHash('sha256').update(sent).digest('base64')
    const { root, ready } = subscribed
    const isOne = root.meaning.operation === 'changedOne'
    this.entry = isOne ? idOf(root.args.values(ready.variables).id) : undefined
    // A syntax tree has some 40 bytes per character, and its selection and the writers of its answers have as many.
    this.size = 2000 + 80 * query.length + 12 * (sent.length - query.length)
  }

  get uid(): string {
    return this.subscribed.root.meaning.type.uid
  }
}

interface SubscriptionSource {
  readonly caller: Caller
  readonly input: OperationInput
  readonly subscribed: Subscribed
}
