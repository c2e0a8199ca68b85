// The types that all writers of relations use.

import type { Transaction } from '../connection/session.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Registry } from '../model/registry.ts'
import type { WriteStatements } from '../sql/writes/statements.ts'
import type { PlaceNumbers } from './place-numbers.ts'
import type { LastPlaces } from './references.ts'
import type { WriteLocks } from './write-locks.ts'

/** The objects with which relations are written, the same for all writes. */
export interface RelationTools {
  readonly statements: WriteStatements
  readonly registry: Registry
  readonly numbers: PlaceNumbers
  readonly locks: WriteLocks
}

/** One write, as the writers of its relations use it. */
export interface RelationWrite {
  readonly tx: Transaction
  readonly tools: RelationTools
  /** The last places that were read before the first change; null if none were read. */
  readonly lastPlaces: LastPlaces | null
}

/** A row whose relations change. */
export interface RelatedRow {
  readonly type: ContentType
  readonly id: number
  /** True if the row is new, so that nothing is linked yet. */
  readonly isNew: boolean
}
