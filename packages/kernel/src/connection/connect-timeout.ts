// The time limit of opening a connection, for pools and for drivers. Loads nothing.

/**
 * Milliseconds to open a connection: less than a caller waits for one, so that the caller receives the reason for the
 * failure and not just a timeout.
 */
export function connectTimeout({ acquireTimeout }: { readonly acquireTimeout: number }): number {
  return Math.max(100, Math.min(acquireTimeout, 5000) - 500)
}
