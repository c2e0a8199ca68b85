/**
 * The values of entries and of conditions: a few per family, so that they match often, and difficult ones: case,
 * wildcards of LIKE, quotes, characters outside of the BMP, numbers beyond 2^53. Also how two values of a family are
 * compared.
 */

import type { Family, Scalar } from './model.ts'

export const pools: Readonly<Record<Family, readonly Scalar[]>> = {
  // Letters outside of ASCII appear in one case only, because databases differ in which of them they fold.
  text: [
    'Alpha',
    'alpha',
    'ALPHA',
    'alphabet',
    'Beta',
    'a%b',
    'a_b',
    'axb',
    '50%',
    '\\a',
    "it's",
    '',
    ' é',
    '～',
    '😀',
    '10',
  ],
  enumeration: ['novel', 'Essay', 'poem'],
  integer: [-5, 0, 1, 2, 7, 10, 42, 100],
  big: ['-9007199254740993', '-7', '0', '10', '200', '9007199254740992', '9007199254740993', '9223372036854775807'],
  number: [-2.25, 0, 0.5, 1.25, 2.5, 10, 99.99],
  boolean: [true, false],
  date: ['1969-12-31', '1999-12-31', '2024-02-29', '2024-03-01'],
  time: ['00:00:00.000', '07:30:00.000', '07:30:00.001', '23:59:59.999'],
  datetime: [
    '1969-12-31T23:59:59.999Z',
    '2024-02-29T12:00:00.000Z',
    '2024-02-29T12:00:00.001Z',
    '2030-01-01T00:00:00.000Z',
  ],
}

/** Parts of texts, for operators that search in texts. */
export const fragments = ['a', 'A', 'PH', 'ph', '%', '_', '\\', "'", '0', 'é', '😀', 'alpha', ''] as const

const compareBytes = (left: string, right: string): number => Buffer.compare(Buffer.from(left), Buffer.from(right))
/** By UTF-8 bytes, unless the database has another order. */
let compareText = compareBytes

/**
 * Compares texts as a database does: `ranks` are their positions in its order, equal for texts that it treats as equal.
 */
export function useCollation(ranks: ReadonlyMap<string, number>): void {
  compareText = (left, right) => Math.sign(ranks.get(left)! - ranks.get(right)!)
}

const isText = (family: Family) => family === 'text' || family === 'enumeration'

/** Equal in every byte, whatever the order of the database. */
export function isSame(family: Family, left: Scalar, right: Scalar): boolean {
  return isText(family) ? left === right : compare(family, left, right) === 0
}

const compareNumber = (left: number, right: number) => Math.sign(left - right)

export function compare(family: Family, left: Scalar, right: Scalar): number {
  if (family === 'big') {
    const difference = BigInt(left) - BigInt(right)
    return difference === 0n ? 0 : difference < 0n ? -1 : 1
  }
  if (family === 'datetime') return compareNumber(Date.parse(String(left)), Date.parse(String(right)))
  if (family === 'integer' || family === 'number' || family === 'boolean')
    return compareNumber(Number(left), Number(right))
  return (isText(family) ? compareText : compareBytes)(String(left), String(right))
}
