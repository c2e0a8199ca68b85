// Ends a program: one that cannot start, and one that receives a signal.

import { StartError } from '@plinth/kernel'
import type { FastifyInstance } from 'fastify'

/**
 * Ends the program with exit code 1: `await createServer(…).catch(exitWith)`. Prints a StartError as its message with
 * its code, and any other error with its stack.
 */
export function exitWith(error: unknown): never {
  console.error(error instanceof StartError ? `${error.message} [${error.code}]` : error)
  process.exit(1)
}

/** Maximum time that a program takes to end, in milliseconds. */
const maxTime = 10_000

/**
 * Ends the program at SIGTERM and SIGINT: requests in progress are answered, then plugins and the database are closed.
 * After ten seconds, or at a second signal, the program ends at once.
 */
export function stopOnSignals(app: FastifyInstance): void {
  let isStopping = false
  const stop = async () => {
    if (isStopping) process.exit(1)
    isStopping = true
    setTimeout(() => process.exit(1), maxTime).unref()
    try {
      await app.close()
      process.exit(0)
    } catch (error) {
      exitWith(error)
    }
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
}
