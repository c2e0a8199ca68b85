// Names the place of a fault in the parameters. It is for code, such as a transport that shows errors where their cause
// is; answers contain only what v4 sends.

import { PlinthError, ValidationError } from '../errors.ts'

/** The error with a place, unless it has one. What is not an error of the kernel stays as it is. */
export function located(error: unknown, at: string): unknown {
  if (error instanceof PlinthError) error.at ??= at
  return error
}

/** The error about a value that was sent at `at`, whatever place the check of a plugin named. */
export function aboutSent(error: unknown, at: string): unknown {
  if (error instanceof PlinthError) error.at = at
  return error
}

/** The 400 for a name that cannot be used at `path`, with a message of its own that cites it. */
export function refusedName(name: string, path: string, message: string): ValidationError {
  const error = new ValidationError(message, { path })
  error.cited = name
  return error
}
