// The subscriptions of one process, by the types and entries that they are about. They know which types have
// subscribers, and which subscriptions a change concerns.

import type { Change } from '@plinth/graphql'
import { Refusal } from './errors.ts'
import type { Subscription } from './subscription.ts'

/** Maximum number of bytes of memory that all subscriptions hold, as they are estimated. */
const maxSize = 256 * 1024 * 1024

/** The subscriptions to one type. */
interface OfType {
  readonly all: Set<Subscription>
  /** By the id; null for those whose id no entry can have. */
  readonly byEntry: Map<number | null, Set<Subscription>>
  count: number
}

/** All subscriptions of one process. */
export class Subscriptions {
  readonly #types = new Map<string, OfType>()
  /** Runs when the first subscription to a type begins, and when the last one ends. */
  readonly #onTypes: () => void
  #size = 0

  constructor(onTypes: () => void) {
    this.#onTypes = onTypes
  }

  /** The types that have subscribers. */
  get uids(): Iterable<string> {
    return this.#types.keys()
  }

  has(uid: string): boolean {
    return this.#types.has(uid)
  }

  /** Throws Refusal if there are too many, and UnavailableError if the process has no room for the variables. */
  add(subscription: Subscription): void {
    const { uid, entry, size, variableSize } = subscription.changes
    if (this.#size + size > maxSize) throw new Refusal('The server has too many subscriptions.')
    subscription.share.claim('variables', variableSize)
    this.#size += size
    const subscribedBefore = this.#types.get(uid)
    const ofType = subscribedBefore ?? { all: new Set(), byEntry: new Map(), count: 0 }
    this.#types.set(uid, ofType)
    ofType.count++
    if (entry === undefined) ofType.all.add(subscription)
    else {
      const ofEntry = ofType.byEntry.get(entry) ?? new Set()
      ofType.byEntry.set(entry, ofEntry.add(subscription))
    }
    if (subscribedBefore === undefined) this.#onTypes()
  }

  remove(subscription: Subscription): void {
    subscription.isOver = true
    const { uid, entry, size, variableSize } = subscription.changes
    const ofType = this.#types.get(uid)
    if (ofType === undefined) return
    const set = entry === undefined ? ofType.all : ofType.byEntry.get(entry)
    if (set?.delete(subscription) !== true) return
    this.#size -= size
    subscription.share.remove('variables', variableSize)
    if (entry !== undefined && set.size === 0) ofType.byEntry.delete(entry)
    if (--ofType.count > 0) return
    this.#types.delete(uid)
    this.#onTypes()
  }

  /** The subscriptions that a change concerns. */
  concernedBy({ uid, id }: Pick<Change, 'uid' | 'id'>): Subscription[] {
    const ofType = this.#types.get(uid)
    return ofType === undefined ? [] : [...ofType.all, ...(ofType.byEntry.get(id) ?? [])]
  }

  /** All subscriptions to one type, or to all types. */
  values(uid?: string): Subscription[] {
    const types = uid === undefined ? [...this.#types.values()] : [this.#types.get(uid)]
    return types.flatMap(one =>
      one === undefined ? [] : [...one.all, ...[...one.byEntry.values()].flatMap(set => [...set])],
    )
  }
}
