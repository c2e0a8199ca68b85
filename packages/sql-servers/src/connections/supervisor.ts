// Supervises the connections of a server's pool: slow reads share a few connections (lanes.ts), and statements that run
// for too long or for nobody are ended (sweep.ts). Knows no driver.

import type { DriverSession, Pool, PoolSupervisor, Reading } from '@plinth/kernel/database'
import { Lanes } from './lanes.ts'
import type { Cancel, ServerSession } from './server-session.ts'
import { Sweep } from './sweep.ts'

/** The time limits of a pool, in milliseconds. */
export interface SupervisorTimes {
  readonly acquireTimeout: number
  /** 0 or undefined: no limit. */
  readonly statementTimeout?: number
}

export class Supervisor implements PoolSupervisor {
  readonly #sweep: Sweep
  readonly #lanes: Lanes

  constructor(pool: Pool, cancel: Cancel, { acquireTimeout, statementTimeout = 0 }: SupervisorTimes) {
    const lanes = new Lanes(pool.max, acquireTimeout)
    this.#lanes = lanes
    this.#sweep = new Sweep({
      cancel,
      statementTimeout,
      share: lanes.share,
      isCrowded: () => lanes.isCrowded || pool.isCrowded,
      onSlow: shape => lanes.noteSlow(shape),
      onSweep: () => {
        lanes.sweep()
        pool.refuseAbandoned()
      },
      discard: ({ connection }, why) => pool.discard(connection, why),
      destroy: ({ connection }, why) => void pool.socketOf(connection)?.destroy(why),
    })
  }

  add(session: DriverSession): void {
    this.#sweep.add(session as ServerSession)
  }

  remove(session: DriverSession): void {
    this.#sweep.delete(session as ServerSession)
  }

  begin(): void {
    this.#sweep.start()
  }

  read<T>(reading: Reading, read: () => Promise<T>): Promise<T> {
    const { shape } = reading
    if (shape === undefined || this.#lanes.isShort(shape)) return read()
    return this.#lanes.run(shape, read, reading)
  }

  succeed(shape: object, session: DriverSession, took: number): void {
    const { isSlow, hasPaused } = (session as ServerSession).usage
    if (!isSlow && !hasPaused) this.#lanes.note(shape, took)
  }

  fail(shape: object): void {
    this.#lanes.forget(shape)
  }

  close(): Promise<void> {
    return this.#sweep.stop()
  }
}
