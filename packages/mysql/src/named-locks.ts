// The named locks (GET_LOCK) of one connection, which last until they are released, also beyond a transaction.

import { batchesOf, type Session } from '@plinth/kernel/database'
import { lockNamesText, maxNames, namedLockError } from './locks.ts'

export class NamedLocks {
  readonly #session: Pick<Session, 'all'>
  #names: string[] = []

  constructor(session: Pick<Session, 'all'>) {
    this.#session = session
  }

  /** Returns whether locks are held, or may be. */
  get areHeld(): boolean {
    return this.#names.length > 0
  }

  /** Waits for the locks. Throws the error of a lock timeout if one is not granted. */
  async lock(names: readonly string[]): Promise<void> {
    for (const batch of batchesOf(names, maxNames)) {
      // Recorded first: a lock may be held although the response was lost.
      this.#names.push(...batch)
      const [row = []] = await this.#session.all(lockNamesText('GET_LOCK', batch.length), batch)
      if (row.some(one => Number(one) !== 1)) throw namedLockError()
    }
  }

  async unlock(): Promise<void> {
    const names = this.#names
    this.#names = []
    for (const batch of batchesOf(names, maxNames))
      await this.#session.all(lockNamesText('RELEASE_LOCK', batch.length), batch)
  }
}
