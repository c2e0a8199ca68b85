// The calculations over the entries that are linked to an entry, which plugins may add to the `meta` of that entry, and
// the values that each accepts.

import { UsageError } from '../errors.ts'
import type { Storage } from '../model/attribute-types.ts'
import type { Words } from '../registration/checks.ts'
import { knownWords } from '../registration/registrar.ts'

/** `count` counts the values that are not null. Without values, `count` and `sum` are 0, and the others are null. */
export type Calculation = 'count' | 'sum' | 'average' | 'minimum' | 'maximum'

const numbers: readonly (Storage | 'id')[] = ['id', 'integer', 'biginteger', 'float', 'decimal']
const ordered: readonly (Storage | 'id')[] = [...numbers, 'date', 'time', 'datetime', 'timestamp']

/** The storages whose values each calculation accepts; null: all. */
const accepted: Readonly<Record<Calculation, readonly (Storage | 'id')[] | null>> = {
  count: null,
  sum: numbers,
  average: numbers,
  minimum: ordered,
  maximum: ordered,
}

/** Throws UsageError for an unknown calculation, and for one that has no meaning for the values of the column. */
export function checkCalculation(
  calculation: string,
  attribute: string,
  { storage }: { readonly storage: Storage | 'id' },
): void {
  const names = Object.keys(accepted)
  if (!names.includes(calculation))
    throw new UsageError(
      'PLINTH_PLAN_META',
      `The calculation "${calculation}" is not known${knownWords(calculation, names)}`,
    )
  const storages = accepted[calculation as Calculation]
  if (storages !== null && !storages.includes(storage))
    throw new UsageError(
      'PLINTH_PLAN_META',
      `The ${calculation} of "${attribute}" cannot be calculated, because its values are stored as ${storage}; possible are ${storages.join(', ')}`,
    )
}

/** The source of a member of the `meta` of entries. */
export interface MetaSource {
  /** The relation of the node. */
  readonly relation: string
  /** The attribute of the linked entries. */
  readonly attribute: string
  /**
   * The calculation over their values; without it, the member is the list of the values. `sum` and `average` are for
   * numbers, `minimum` and `maximum` for numbers and times. Without values, `count` and `sum` are 0, and the others are
   * null. `sum` and `average` are JavaScript numbers, so beyond 2^53 they lose digits.
   */
  readonly calculate?: Calculation
}

/** The members of a `MetaSource`. */
export const metaWords: Words<MetaSource> = { relation: 'needed', attribute: 'needed', calculate: 'optional' }
