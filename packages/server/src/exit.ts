// Ends a program: one that cannot start, and one that receives a signal.

import { inspect } from 'node:util'
import { redactText, StartError } from '@plinth/kernel'
import type { FastifyInstance } from 'fastify'

/**
 * Ends the program with exit code 1: `await createServer(…).catch(exitWith)`. Prints one line without secrets: the
 * message of a StartError with its code, and of any other error with the place in the code of the application. At
 * LOG_LEVEL debug or trace the stack follows.
 */
export function exitWith(error: unknown): never {
  const isTold = /^(?:debug|trace)$/.test(process.env.LOG_LEVEL ?? '')
  const { cause } = error instanceof StartError ? error : { cause: error }
  const stack = isTold && cause !== undefined ? `\n${inspect(cause)}` : ''
  console.error(redactText(`${failureLine(error)}${stack}`))
  process.exit(1)
}

function failureLine(error: unknown): string {
  if (error instanceof StartError) return `${error.message} [${error.code}]`
  if (!(error instanceof Error)) return inspect(error)
  const place = placeOf(error)
  const { name, message } = error
  return `${name}: ${message}${place === null ? '' : ` (${place})`}; LOG_LEVEL=debug prints the stack`
}

/** The first line of a stack that is neither Node's nor that of an installed package; or else the first one. */
function placeOf({ stack = '', message }: Error): string | null {
  const lines = stack.slice(stack.indexOf(message) + message.length).split('\n')
  const places = lines.flatMap(line => /\(?((?:file:\/\/|\/|[A-Z]:\\)\S+:\d+:\d+)\)?$/.exec(line)?.[1] ?? [])
  const own = places.find(one => !one.includes('/node_modules/')) ?? places[0]
  return own?.replace(/^file:\/\//, '') ?? null
}

/** Maximum time that a program takes to end, in milliseconds. */
const maxTime = 10_000

/**
 * Milliseconds in which a second signal counts as the same: npm and pnpm pass on the signals that they receive, and a
 * terminal or a supervisor sends a signal to all processes of a group by itself.
 */
const sameSignal = 2000

/**
 * Ends the program at SIGTERM and SIGINT: requests in progress are answered, then plugins and the database are closed.
 * After ten seconds, or at a further signal that arrives more than two seconds after the first, the program ends at once.
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
