// PostgreSQL's CancelRequest: a message on a connection of its own that ends what another one runs. Servers take it without
// TLS and before any login. Knows no session.

import { connect } from 'node:net'
import type { Client } from 'pg'

const requestCode = 80_877_102

/** Milliseconds to deliver it. */
const waitTimeout = 1000

/** What pg keeps of a connection. */
type Cancellable = Client & { readonly processID: number; readonly secretKey: number }

/** Resolves once the server has taken the request; rejects where it cannot be reached. */
export function cancelQuery(client: Client): Promise<void> {
  const { host, port, processID, secretKey } = client as Cancellable
  const message = Buffer.alloc(16)
  message.writeInt32BE(16, 0)
  message.writeInt32BE(requestCode, 4)
  message.writeInt32BE(processID, 8)
  message.writeInt32BE(secretKey, 12)
  return new Promise((resolve, reject) => {
    const socket = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port })
    socket.setTimeout(waitTimeout, () => socket.destroy(new Error('the server takes no cancellation')))
    socket.once('error', reject)
    // The server closes the connection when it has told the other one.
    socket.once('close', () => resolve())
    socket.resume()
    socket.end(message)
  })
}
