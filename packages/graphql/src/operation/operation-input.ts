// Declares an operation as it was sent, whichever transport has read it. It knows no schema.

import type { Variables } from './arguments.ts'

/** One operation as it was sent. */
export interface OperationInput {
  readonly query: string
  readonly variables: Variables
  readonly operationName: string | null
  /** The hash of a query that the server may know already; null if none is sent. */
  readonly persisted: PersistedHash | null
  /** The request as it was sent, for the provider of persisted queries; null for operations of code. */
  readonly sent: Readonly<Record<string, unknown>> | null
}

/** `extensions.persistedQuery` of automatic persisted queries. */
export interface PersistedHash {
  readonly version: unknown
  readonly sha256Hash: string
}
