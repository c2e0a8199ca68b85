// The messages between the server and its reader processes.

import type { Bound, Rows } from '@plinth/kernel/database'

/** Sent to a reader process. */
export type Order =
  | { readonly kind: 'open'; readonly filename: string }
  /** Begins a read, which may take `waitTimeout` milliseconds. */
  | { readonly kind: 'begin'; readonly waitTimeout: number }
  | { readonly kind: 'all'; readonly text: string; readonly values: readonly Bound[] }
  /** The last rows were received. */
  | { readonly kind: 'next' }
  | { readonly kind: 'end' }

/** Sent by a reader process. */
export type Reply =
  /** Some rows; `took` in milliseconds, or null if more rows follow. */
  | { readonly kind: 'rows'; readonly rows: Rows; readonly took: number | null }
  | { readonly kind: 'error'; readonly message: string; readonly code: string | null; readonly isOverdue: boolean }
