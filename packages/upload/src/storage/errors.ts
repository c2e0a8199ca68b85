// The errors of storing: a full disk is a 507 as it is for the database (B-5, security.md F6).

import { InsufficientStorageError, PlinthError } from '@plinth/kernel'

/** The error that the caller gets: of a full disk the 507, otherwise the error itself. */
export function storageError(error: unknown): unknown {
  if (error instanceof PlinthError) return error
  const { code } = error as { readonly code?: unknown }
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error
  return new InsufficientStorageError('The disk for files has no space left', { cause: error, retryAfter: 60 })
}
