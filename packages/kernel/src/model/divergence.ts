// In what the database differs from the model after a start, as far as the start may not change it, and what it is known
// to enforce. Reads and writes go by it, so that nothing is shown, lost or stored wrongly meanwhile.

import type { ContentType, ScalarAttribute } from './content-type.ts'

/** Attributes by type. */
export type AttributesByType = ReadonlyMap<ContentType, readonly ScalarAttribute[]>

/** The differences between a database and its model that reads and writes must know. */
export interface Divergence {
  /** The retired attributes whose columns are there: new entries get the time of their creation in them. */
  readonly retired: AttributesByType
  /** The retired attributes that hide entries. */
  readonly withheld: AttributesByType
  /**
   * Attributes whose columns have another type, with the name of the step that changes it. Nothing is written to them or
   * compared with them: the column would store another value, or refuse it.
   */
  readonly unconverted: ReadonlyMap<ScalarAttribute, string>
  /** The unique indexes that the rows do not allow, by indexKey(). Writes of their values run one after the other. */
  readonly unenforced: ReadonlySet<string>
  /** The link tables, by name in the model, that have a foreign key at both ends. Empty if the start did not look. */
  readonly keyedLinks: ReadonlySet<string>
}

/** The key of an index in `unenforced`. */
export function indexKey(table: string, columns: readonly string[]): string {
  return `${table}.${columns.join(' ')}`
}

/** Returns why an attribute can neither be written nor compared, as the end of a sentence; null if it can. */
export function conversionFault({ unconverted }: Divergence, attribute: ScalarAttribute): string | null {
  const step = unconverted.get(attribute)
  return step === undefined ? null : `the change of its type is pending; run \`plinth migrate apply ${step}\``
}

/** The divergence of a database that matches its model. */
export const noDivergence: Divergence = {
  retired: new Map(),
  withheld: new Map(),
  unconverted: new Map(),
  unenforced: new Set(),
  keyedLinks: new Set(),
}
