// The types of what a driver of a server gives to the supervision and the election of its connections.

import type { DriverSession, Rows } from '@plinth/kernel/database'
import type { ServerUsage } from './usage.ts'

/** A session of a server, whose connection has a usage. */
export type ServerSession = DriverSession & { readonly usage: ServerUsage }

/** Asks the server to cancel the running statements of these sessions; resolves when the request was sent. */
export type Cancel = (sessions: readonly DriverSession[]) => Promise<void>

/**
 * Tries to take the lock of the elected process (election.ts), which the session then holds as long as its connection
 * lasts; the first value is true or 1 if it has it.
 */
export type Elect = (session: DriverSession) => Promise<Rows>
