// Attaches its idempotency key to a request. Knows no server, so that commands can load it.

import type { Run } from './answers.ts'

/** A request with the header. */
export interface KeyedRequest {
  readonly key: string
  /** The fault of the key; null if it has none. */
  readonly fault: string | null
  /** Taken before policies can change the body. */
  readonly fingerprint: string
  /** Set while the request is carried out. */
  run: Run | null
}

/** The property of a request that holds it; null or absent without the header. */
export const requestKey = Symbol('idempotency')

export interface Keeper {
  [requestKey]?: KeyedRequest | null
}

/** Returns what is being carried out for a request, as contexts hold it; null for requests without the header. */
export function runOf(request: unknown): Run | null {
  return (request as Keeper | null | undefined)?.[requestKey]?.run ?? null
}
