// A database's refusal of a value is the caller's mistake, whatever let it come so far: a 400 without the server's words.

import { ValidationError } from '../errors.ts'
import { meaningOf } from './meaning.ts'

/** The 400 for a driver's error about a value; null for all other errors. */
export function refusedValue(error: unknown): ValidationError | null {
  if (meaningOf(error)?.kind !== 'value') return null
  const refusal = new ValidationError('Invalid value: it does not fit the attribute')
  refusal.cause = error
  return refusal
}
