// Limits how many changes of the same entry run at a time. On a server, all but the first would wait for the lock of
// the row, each with a connection that other requests need; a change that waits here holds no connection. Depends on
// neither entries nor connections.

import { type EntryTurn, type Maybe, UnavailableError } from '@plinth/kernel/database'

interface WaitingChange {
  readonly isShort: boolean
  readonly enter: () => void
}

/** The changes of one entry. */
interface Changes {
  /** The number that run. */
  running: number
  /** True if the running changes are short. */
  isShort: boolean
  /** Those that wait, in order of arrival; null if none has waited yet. */
  waiting: Set<WaitingChange> | null
}

/** An entry, by which its changes find each other. */
export type EntryKey = Pick<EntryTurn, 'table' | 'id'>

/** The properties of a change that enters a queue. */
export interface QueueOptions {
  /** The change is one statement, which commits itself, so that it holds the lock of the row only for a moment. */
  readonly isShort: boolean
  /** Milliseconds to wait. */
  readonly waitTimeout: number
}

/** The keys in use, and the changes that run and wait for each. */
export class EntryQueue {
  /** By table and id. The maps of tables stay. */
  readonly #keys = new Map<string, Map<number, Changes>>()
  readonly #maxShort: number

  /**
   * `maxShort` short changes of one entry may run together: the next one is then at the server when the lock of the row
   * becomes free, which on MariaDB is before the change is on disk.
   */
  constructor(maxShort: number) {
    this.#maxShort = maxShort
  }

  /**
   * Takes a key, which leave() releases: at once if it is free, otherwise after earlier callers have released it.
   * Throws UnavailableError after `waitTimeout` milliseconds. No transaction may be open: a transaction that waits here
   * for a change that waits for one of its rows would be a deadlock.
   */
  enter({ table, id }: EntryKey, { isShort, waitTimeout }: QueueOptions): Maybe<void> {
    const ofTable = this.#keys.get(table)
    const changes = ofTable?.get(id)
    if (changes === undefined) {
      const firstChange = { running: 1, isShort, waiting: null }
      if (ofTable === undefined) this.#keys.set(table, new Map([[id, firstChange]]))
      else ofTable.set(id, firstChange)
      return
    }
    const isFirst = changes.waiting === null || changes.waiting.size === 0
    if (!isFirst || !this.#admits(changes, isShort)) return this.#wait(changes, { isShort, waitTimeout })
    changes.running++
  }

  /** Releases a key to the next callers that wait for it. */
  leave({ table, id }: EntryKey): void {
    const ofTable = this.#keys.get(table)!
    const changes = ofTable.get(id)!
    changes.running--
    if (changes.waiting !== null) this.#admitNext(changes, changes.waiting)
    if (changes.running === 0) ofTable.delete(id)
  }

  #admitNext(changes: Changes, waiting: Iterable<WaitingChange>): void {
    for (const next of waiting) {
      if (!this.#admits(changes, next.isShort)) break
      changes.running++
      changes.isShort = next.isShort
      next.enter()
    }
  }

  /** The number of keys in use. */
  get size(): number {
    let size = 0
    for (const ofTable of this.#keys.values()) size += ofTable.size
    return size
  }

  #admits({ running, isShort: areShort }: Changes, isShort: boolean): boolean {
    return running === 0 || (areShort && isShort && running < this.#maxShort)
  }

  #wait(changes: Changes, { isShort, waitTimeout }: QueueOptions): Promise<void> {
    changes.waiting ??= new Set()
    const all = changes.waiting
    return new Promise((resolve, reject) => {
      const waiting: WaitingChange = {
        isShort,
        enter: () => {
          clearTimeout(timer)
          all.delete(waiting)
          resolve()
        },
      }
      const timer = setTimeout(() => {
        all.delete(waiting)
        reject(new UnavailableError('The entry is locked by another write'))
      }, waitTimeout)
      all.add(waiting)
    })
  }
}
