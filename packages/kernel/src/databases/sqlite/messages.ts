// What a server and its reader processes tell each other.

import type { Bound } from '../../sql/dialect.ts'
import type { Rows } from '../../database/session.ts'

/** To a reader process. */
export type Order =
  | { readonly kind: 'open'; readonly filename: string }
  /** Begins a question, which may take `waitTimeout` milliseconds. */
  | { readonly kind: 'begin'; readonly waitTimeout: number }
  | { readonly kind: 'all'; readonly text: string; readonly values: readonly Bound[] }
  /** The last rows have been taken in. */
  | { readonly kind: 'next' }
  | { readonly kind: 'end' }

/** From a reader process. */
export type Reply =
  /** Some rows; `took` milliseconds, null where more of them follow. */
  | { readonly kind: 'rows'; readonly rows: Rows; readonly took: number | null }
  | { readonly kind: 'error'; readonly message: string; readonly code: string | null; readonly isOverdue: boolean }
