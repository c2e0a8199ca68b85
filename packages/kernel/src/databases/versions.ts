// The oldest versions of database servers that the kernel's statements run on. Each driver declares its own; this module
// knows none of them.

import { StartError } from '../errors.ts'

/** A product and the first version of it that has everything the kernel's statements use. */
export interface Requirement {
  /** The name of the product in messages. */
  readonly product: string
  readonly least: readonly number[]
}

/** The numbers at the beginning of a version: `10.11.19-MariaDB` → [10, 11, 19]. Empty if it begins with no number. */
export function numbersOf(version: string): readonly number[] {
  const [numbers = ''] = /^\d+(\.\d+)*/.exec(version) ?? []
  return numbers === '' ? [] : numbers.split('.').map(Number)
}

/**
 * Throws StartError (PLINTH_DATABASE_VERSION) if the version is older than required. Numbers that the version does not
 * name are not compared, because services such as Amazon Aurora shorten them.
 */
export function requireVersion(version: string, { product, least }: Requirement): void {
  const numbers = numbersOf(version)
  const i = numbers.findIndex((number, i) => number !== (least[i] ?? 0))
  if (i === -1 || numbers[i]! > (least[i] ?? 0)) return
  throw new StartError(
    'PLINTH_DATABASE_VERSION',
    `config/database: ${product} ${numbers.join('.')} is too old: Plinth needs ${product} ${least.join('.')} or later`,
  )
}
