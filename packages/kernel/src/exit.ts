// How a program ends that cannot start.

import { StartError } from './errors.ts'

/**
 * Ends the program with exit code 1: `await createServer(…).catch(exitWith)`. What its owner can mend is told in one message,
 * everything else with its stack.
 */
export function exitWith(error: unknown): never {
  console.error(error instanceof StartError ? error.message : error)
  process.exit(1)
}
