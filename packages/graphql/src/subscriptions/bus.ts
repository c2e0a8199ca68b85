// Declares how processes of one application tell each other of changes.

import type { Change } from '../execution/change.ts'

/** What connects this process to the others. */
export interface Bus {
  /** Whether another process has subscribers to a type. */
  isWanted(uid: string): boolean
  /** Tells the others of a change. */
  publish(change: Change): void
  /** Tells the others which types this process has subscribers to. */
  want(uids: Iterable<string>): void
  close(): Promise<void>
}

/** For an application of one process. */
export const noBus: Bus = {
  isWanted: () => false,
  publish() {},
  want() {},
  close: () => Promise.resolve(),
}
