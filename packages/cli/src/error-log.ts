// The log of a kernel without a server, on stderr and for people: warnings and errors, without secrets.

import { inspect } from 'node:util'
import { type Logger, redactText } from '@plinth/kernel'

/** Prints texts as they are, and errors with their stacks. */
const print = (...words: readonly unknown[]): void =>
  console.error(redactText(words.map(one => (typeof one === 'string' ? one : inspect(one))).join(' ')))

export const errorLog: Logger = { info: () => {}, warn: print, error: print }
