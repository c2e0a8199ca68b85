// A write that was stopped because the entry is not stored any more as the form has read it.

import { firstValues } from './first-values.ts'
import { type Merge, mergeOf } from './merge.ts'
import type { ContentType, Model, VersionedEntry } from './types.ts'

type Values = Readonly<Record<string, unknown>>

/** The operation that was stopped: a save, a deletion, or putting a kept draft back into the form. */
export type ConflictCause = 'save' | 'delete' | 'kept'

/** An entry that was deleted by somebody else. */
interface Deleted {
  readonly kind: 'deleted'
}

/** An entry that was changed by somebody else. */
export interface Changed {
  readonly kind: 'changed'
  readonly cause: ConflictCause
  readonly base: Values
  readonly mine: Values
  readonly theirs: VersionedEntry
  readonly theirValues: Values
  readonly merge: Merge
  /** The state to which the other user has changed the entry; null if its state is the same. */
  readonly newState: 'published' | 'draft' | null
}

export type Conflict = Deleted | Changed

interface ConflictParts {
  readonly type: ContentType
  readonly model: Model
  readonly cause: ConflictCause
  /** The values of the entry with which the change began. */
  readonly base: Values
  readonly mine: Values
  readonly theirs: VersionedEntry
  /** The moment of publication when the change began; undefined if it does not count. */
  readonly publishedAt?: unknown
}

export function changedConflict(parts: ConflictParts): Changed {
  const { type, model, cause, base, mine, theirs, publishedAt } = parts
  const theirValues = firstValues(type, theirs.entry)
  const isPublished = (theirs.entry.publishedAt ?? null) !== null
  const isSameState = publishedAt === undefined || ((publishedAt ?? null) !== null) === isPublished
  const merge = mergeOf(type.attributes, { base, mine, theirs: theirValues }, model)
  const newState = !type.hasDrafts || isSameState ? null : isPublished ? 'published' : 'draft'
  return { kind: 'changed', cause, base, mine, theirs, theirValues, merge, newState }
}

/** Returns whether the other user has changed nothing that the form shows, so that nothing is overwritten unseen. */
export const isInvisible = ({ merge, newState }: Changed): boolean =>
  newState === null && merge.conflicts.length === 0 && merge.onlyTheirs.length === 0

/** Returns whether the user has changed something. */
export const hasOwnChanges = ({ merge }: Changed): boolean => merge.conflicts.length > 0 || merge.onlyMine.length > 0
