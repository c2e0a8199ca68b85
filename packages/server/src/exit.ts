// Ends a program: one that cannot start, and one that receives a signal.

import { inspect } from 'node:util'
import { redactText, StartError } from '@plinth/kernel'
import type { FastifyInstance } from 'fastify'

/**
 * Ends the program with exit code 1: `await createServer(…).catch(exitWith)`. Prints a StartError as its message with
 * its code, and any other error with its stack, both without secrets.
 */
export function exitWith(error: unknown): never {
  console.error(redactText(error instanceof StartError ? `${error.message} [${error.code}]` : inspect(error)))
  process.exit(1)
}

/** Maximum time that a program takes to end, in milliseconds. */
const maxTime = 10_000

/**
 * For so long a further signal is taken for the same one, in milliseconds: npm and pnpm pass on what they receive, and a
 * terminal or a supervisor sends it to all processes of a group by itself.
 */
const sameSignal = 1000

/**
 * Ends the program at SIGTERM and SIGINT: requests in progress are answered, then plugins and the database are closed.
 * After ten seconds, or at a further signal that arrives more than a second after the first, the program ends at once.
 */
export function stopOnSignals(app: FastifyInstance): void {
  let began: number | null = null
  const stop = async () => {
    if (began !== null) {
      if (performance.now() - began > sameSignal) process.exit(1)
      return
    }
    began = performance.now()
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
