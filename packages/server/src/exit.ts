// How a program ends: one that cannot start, and one that is told to.

import { StartError } from '@plinth/kernel'
import type { FastifyInstance } from 'fastify'

/**
 * Ends the program with exit code 1: `await createServer(…).catch(exitWith)`. What its owner can mend is told in one message with
 * its code, everything else with its stack.
 */
export function exitWith(error: unknown): never {
  console.error(error instanceof StartError ? `${error.message} [${error.code}]` : error)
  process.exit(1)
}

/** Most milliseconds that a program takes to end. */
const maxTime = 10_000

/**
 * Ends the program at SIGTERM and SIGINT: requests under way are answered, then plugins and the database are closed; after ten
 * seconds it ends whatever is still under way. A second signal ends it at once.
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
