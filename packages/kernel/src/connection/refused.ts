// Turns a database's refusal of a value into a 400: the value is the client's mistake. The server's message is not
// disclosed.

import { ValidationError } from '../errors.ts'
import { meaningOf } from './meaning.ts'

/** The 400 for a driver's error about a value; null for all other errors. */
export function refusedValue(error: unknown): ValidationError | null {
  if (meaningOf(error)?.kind !== 'value') return null
  const refusal = new ValidationError('Invalid value: it does not fit the attribute')
  refusal.cause = error
  return refusal
}
