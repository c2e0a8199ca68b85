// What the changes of relations of one write have in common.

import type { ContentType } from '../model/content-type.ts'
import type { Registry } from '../model/registry.ts'
import type { Transaction } from '../database/session.ts'
import type { WriteStatements } from '../sql/writes/statements.ts'
import type { LastPlaces } from './last-places.ts'
import type { PlaceNumbers } from './place-numbers.ts'

/** What relations are written with, the same for all writes. */
export interface RelationTools {
  readonly statements: WriteStatements
  readonly registry: Registry
  readonly numbers: PlaceNumbers
}

/** One write, as its relations see it. */
export interface RelationWrite {
  readonly tx: Transaction
  readonly tools: RelationTools
  /** What was asked for before the first change; null where nothing was. */
  readonly lastPlaces: LastPlaces | null
}

/** A row whose relations change. */
export interface RelatedRow {
  readonly type: ContentType
  readonly id: number
  /** Nothing is linked yet. */
  readonly isNew: boolean
}
