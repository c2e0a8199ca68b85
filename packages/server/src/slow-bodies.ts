// Registers the connections that send a body that may take longer than `requestTimeout`, because its reader has a limit of its own,
// and how slowly such a body may arrive.

import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

/** Milliseconds that a reader waits for the next bytes of a body, and altogether before it expects any. */
export const longestWait = 30_000

/** Bytes per second that a body must have on average, while its reader waits for it. */
const slowest = 1024

const uploading = new WeakSet<Duplex>()

/** Exempts a body from `requestTimeout`, as long as its reader limits how slowly it arrives. */
export function beginUpload({ socket }: IncomingMessage): void {
  uploading.add(socket)
}

/** Ends the exemption. What is left of the body must arrive in time, or the connection is closed. */
export function endUpload(request: IncomingMessage): void {
  const { socket } = request
  uploading.delete(socket)
  // An injected request has no `complete`.
  if (request.complete || request.readableEnded || request.destroyed) return
  // The request and not its socket, because that of an injected request cannot be closed.
  const timer = setTimeout(() => request.destroy(), longestWait)
  timer.unref()
  request.once('close', () => clearTimeout(timer))
  request.once('end', () => clearTimeout(timer))
}

/** Returns whether the connection sends a body that may take longer than `requestTimeout`. */
export function isUploading(socket: Duplex): boolean {
  return uploading.has(socket)
}

/** Returns how long a reader still waits for a body, of which `received` bytes have come while it waited `waited` ms. */
export function patience(received: number, waited: number, limit: number): number {
  return Math.min(limit, limit + (received / slowest) * 1000 - waited)
}
