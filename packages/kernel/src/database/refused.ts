// A server's refusal of a value is the caller's mistake, whatever let it come so far: a 400 without the server's words.

import { ValidationError } from '../errors.ts'

const mysqlCodes = new Set([
  'ER_DATA_TOO_LONG',
  'ER_WARN_DATA_OUT_OF_RANGE',
  'ER_DATA_OUT_OF_RANGE',
  'ER_TRUNCATED_WRONG_VALUE',
  'ER_TRUNCATED_WRONG_VALUE_FOR_FIELD',
  'ER_WRONG_VALUE',
  'ER_INVALID_JSON_TEXT',
  'ER_CONSTRAINT_FAILED',
  'ER_CANNOT_CONVERT_STRING',
  'ER_INVALID_CHARACTER_STRING',
  'ER_NET_PACKET_TOO_LARGE',
])

/** MariaDB's "CONSTRAINT … failed", for JSON nested deeper than it reads (31); mysql2 gives it another's name. */
const failedConstraint = 4025

/** The 400 for a driver's error about a value; null for all other errors. PostgreSQL's class 22 is about data. */
export function refusedValue(error: unknown): ValidationError | null {
  const { code, errno } = (error ?? {}) as { code?: unknown; errno?: unknown }
  const isRefused = mysqlCodes.has(String(code)) || errno === failedConstraint || /^22[0-9A-Z]{3}$/.test(String(code))
  if (!isRefused) return null
  const refusal = new ValidationError('Invalid value: it does not fit the attribute')
  refusal.cause = error
  return refusal
}
