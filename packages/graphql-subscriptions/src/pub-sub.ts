// Declares how the processes of one application exchange changes.

import type { Change } from '@plinth/graphql'

/** The connection of this process to the others. */
export interface PubSub {
  /** Returns whether another process has subscribers to a type. */
  hasSubscribers(uid: string): boolean
  /** Publishes a change to the other processes. */
  publish(change: Change): void
  /** Announces the types that this process has subscribers to. */
  announce(uids: Iterable<string>): void
  close(): Promise<void>
}

/** For an application of one process. */
export const noPubSub: PubSub = {
  hasSubscribers: () => false,
  publish() {},
  announce() {},
  close: () => Promise.resolve(),
}
