// Several statements in one round trip for MariaDB: an anonymous block is prepared and run as a statement is, and what it asks
// comes back as results of their own. MySQL has no such blocks.

import type { Bound } from '../../sql/dialect.ts'
import type { Rows, Step } from '../session.ts'

/** Most statements that wait for the next one. */
export const mostSteps = 16

/** May it stand in a block? Whatever else it is, and a text with an end of its own, runs alone. */
export const isJoinable = ({ text }: Step): boolean => /^(SELECT|INSERT|UPDATE|DELETE) [^;]*$/i.test(text)

/** A statement has room for 65,535 values, and lists are padded. */
const mostValues = 16_384

/** Can they be asked as one? */
export function areJoinable(steps: readonly Step[]): boolean {
  let count = 0
  for (const { values } of steps) for (const value of values) count += Array.isArray(value) ? value.length : 1
  return count <= mostValues && steps.every(isJoinable)
}

/** Does a block tell what the last statement changed? It tells a sum, and no ids. */
export const tellsChanges = (unsent: readonly Step[], last: Step): boolean =>
  unsent.length === 1 && unsent[0]!.text === 'BEGIN' && isJoinable(last) && !/^INSERT/i.test(last.text)

/** The steps as one. An error ends a block where it happens, and leaves the transaction open. */
export function blockOf(steps: readonly Step[]): Step {
  if (steps.length === 1) return steps[0]!
  // Each on a line of its own, for those that end in a comment.
  let text = 'BEGIN NOT ATOMIC'
  const values: Bound[] = []
  for (const step of steps) {
    text += step.text === 'BEGIN' ? '\nSTART TRANSACTION;' : `\n${step.text}\n;`
    values.push(...step.values)
  }
  return { text: `${text}\nEND`, values }
}

/** The rows of a block's last statements, behind which the server says that the block is done. Without rows it says only that. */
export function rowsOf(result: unknown, count: number): Rows[] {
  return Array.isArray(result) ? (result as Rows[]).slice(-1 - count, -1) : []
}
