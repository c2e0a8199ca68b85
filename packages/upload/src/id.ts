// The ids of files, as requests name them.

import { ValidationError } from '@plinth/kernel'

/** The id in a path or a parameter; null if the text cannot be one. Throws ValidationError for a NUL. */
export function idOf(text: unknown): number | null {
  if (typeof text !== 'string') return null
  if (text.includes('\0')) throw new ValidationError('Invalid id: it contains a NUL character', { path: 'id' })
  return /^\d{1,15}$/.test(text) ? Number(text) : null
}
