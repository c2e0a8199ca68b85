// Merges two changes of one entry: what the user has typed, and what somebody else has stored since the entry was read.
// Only attributes that both have changed, to different values, are a question.

import { isEqual } from './changes.ts'
import { withKnownIds } from './known-ids.ts'
import type { Attribute, Model } from './types.ts'
import { writtenValues } from './written.ts'

type Values = Readonly<Record<string, unknown>>

/** The values of an entry in its three states. */
export interface MergeSides {
  /** The values that both users started from. */
  readonly base: Values
  /** The values that the user has typed. A missing value was not changed. */
  readonly mine: Values
  /** The values that are stored now. */
  readonly theirs: Values
}

/** An attribute that both have changed to different values. */
export interface FieldConflict {
  readonly attribute: Attribute
  readonly base: unknown
  readonly mine: unknown
  readonly theirs: unknown
}

export interface Merge {
  readonly conflicts: readonly FieldConflict[]
  /** The attributes that only the user has changed. */
  readonly onlyMine: readonly Attribute[]
  /** The attributes that only the other one has changed. */
  readonly onlyTheirs: readonly Attribute[]
}

export type Side = 'mine' | 'theirs'

/** The choices of the user, by the name of the attribute. */
export type Choices = Readonly<Record<string, Side>>

/** Compares the states attribute by attribute. Of linked entries only the links count, and not what names them. */
export function mergeOf(attributes: readonly Attribute[], { base, mine, theirs }: MergeSides, model: Model): Merge {
  const conflicts: FieldConflict[] = []
  const onlyMine: Attribute[] = []
  const onlyTheirs: Attribute[] = []
  for (const attribute of attributes) {
    const { name } = attribute
    const isSame = (left: unknown, right: unknown) => isSameWritten(left, right, attribute, model)
    const isMine = mine[name] !== undefined && !isSame(base[name], mine[name])
    const isTheirs = theirs[name] !== undefined && name in base && !isSame(base[name], theirs[name])
    if (isMine && !isTheirs) onlyMine.push(attribute)
    else if (isTheirs && !isMine) onlyTheirs.push(attribute)
    else if (isMine && !isSame(mine[name], theirs[name]))
      conflicts.push({ attribute, base: base[name], mine: mine[name], theirs: theirs[name] })
  }
  return { conflicts, onlyMine, onlyTheirs }
}

function isSameWritten(left: unknown, right: unknown, attribute: Attribute, model: Model): boolean {
  const written = (value: unknown) => writtenValues({ [attribute.name]: value ?? null }, [attribute], model)
  return isEqual(written(left), written(right))
}

/**
 * The values of the form on top of those that are stored now: what only the user has changed, and what the user keeps of
 * the conflicts. Ids of components that are not stored any more are dropped, so that the components are made anew.
 */
export function mergedValues(
  merge: Merge,
  { mine, theirs }: Pick<MergeSides, 'mine' | 'theirs'>,
  choices: Choices,
  model: Model,
): Record<string, unknown> {
  const decidedMine = merge.conflicts.map(({ attribute }) => attribute).filter(({ name }) => choices[name] === 'mine')
  const own = [...merge.onlyMine, ...decidedMine].map(attribute => {
    const { name } = attribute
    return [name, withKnownIds(mine[name], theirs[name], attribute, model)] as const
  })
  return { ...theirs, ...Object.fromEntries(own) }
}

/** Returns whether a choice was made for every conflict. */
export const isDecided = ({ conflicts }: Merge, choices: Choices): boolean =>
  conflicts.every(({ attribute }) => choices[attribute.name] !== undefined)
