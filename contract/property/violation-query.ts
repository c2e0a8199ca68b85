/** What the statements of invariants are written with, and what they return. */

import type { ContentType } from '@plinth/kernel'

/** What the SELECTs of a model are written with. */
export interface SqlModel {
  readonly types: ReadonlyMap<string, ContentType>
  quote(name: string): string
  /** SQL that is true if two values differ; null is a value like others. */
  differ(left: string, right: string): string
}

/** A SELECT of violations: the columns `a` and `b` are the ids of at most two rows. */
export interface ViolationQuery {
  readonly place: string
  readonly sql: string
}
