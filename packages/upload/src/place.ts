// Reads to which attribute of which entry files are added when they arrive. Knows neither forms nor GraphQL, in which
// the place is named.

import { ValidationError } from '@plinth/kernel'

/** The entry and the attribute that get the files. */
export interface Place {
  readonly ref: string
  readonly refId: string
  readonly field: string
}

/** The place that was named; null without one. Throws ValidationError if a part of it is missing. */
export function place(sent: { readonly [Key in keyof Place]?: string | null | undefined }): Place | null {
  const names = ['ref', 'refId', 'field'] as const
  const missing = names.filter(name => (sent[name] ?? '') === '')
  if (missing.length === names.length) return null
  if (missing.length > 0)
    throw new ValidationError(`ref, refId and field belong together; ${missing.join(' and ')} is missing`)
  return sent as Place
}
