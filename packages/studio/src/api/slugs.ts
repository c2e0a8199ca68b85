// Asks the plugin slugs for free values of uids.

import { askBody } from './http.ts'

/** The actions by which the user may ask. */
export const slugActions = {
  generate: 'plugin::slugs.slugs.generate',
  check: 'plugin::slugs.slugs.checkAvailability',
} as const

/** The attribute of which a value is asked for. */
export interface SlugPlace {
  readonly uid: string
  readonly field: string
}

/** A free value for an entry with these data. */
export async function generateSlug({ uid, field }: SlugPlace, data: object, signal?: AbortSignal): Promise<string> {
  const body = { contentTypeUID: uid, field, data }
  const answer = await askBody<{ readonly data: string }>({
    method: 'POST',
    path: '/slugs/generate',
    body,
    ...(signal && { signal }),
  })
  return answer.data
}

/** Null if the value is free, else one that is. */
export async function findFreeSlug(
  { uid, field }: SlugPlace,
  value: string,
  signal?: AbortSignal,
): Promise<string | null> {
  const body = { contentTypeUID: uid, field, value }
  const { isAvailable, suggestion } = await askBody<{
    readonly isAvailable: boolean
    readonly suggestion: string | null
  }>({ method: 'POST', path: '/slugs/check-availability', body, ...(signal && { signal }) })
  return isAvailable ? null : suggestion
}
