// PostgreSQL's CancelRequest: a message on a separate connection that cancels the statement of another one. Servers
// accept it without TLS and before any login. Does not depend on sessions.

import { connect } from 'node:net'
import type { Client } from 'pg'

const requestCode = 80_877_102

/** Milliseconds to deliver the message. */
const waitTimeout = 1000

/** Milliseconds until a connection ends that the server has not closed. */
const closeTimeout = 60_000

/** The fields of pg's client that identify a connection. */
type Cancellable = Client & { readonly processID: number; readonly secretKey: number }

/**
 * Resolves once the server has received the request; rejects if the server cannot be reached. The server closes the
 * connection, and this side does not before: PgBouncer would end itself (its issue 801) if it is still passing the request
 * on to a server that hangs.
 */
export function cancelQuery(client: Client): Promise<void> {
  const { host, port, processID, secretKey } = client as Cancellable
  const message = Buffer.alloc(16)
  message.writeInt32BE(16, 0)
  message.writeInt32BE(requestCode, 4)
  message.writeInt32BE(processID, 8)
  message.writeInt32BE(secretKey, 12)
  return new Promise((resolve, reject) => {
    const socket = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port })
    socket.setTimeout(waitTimeout, () => {
      reject(new Error('The server did not accept the cancellation in time'))
      socket.unref()
      socket.setTimeout(closeTimeout, () => socket.destroy())
    })
    socket.once('error', reject)
    // The server closes the connection after it has signalled the other one.
    socket.once('close', () => resolve())
    socket.resume()
    socket.write(message)
  })
}
