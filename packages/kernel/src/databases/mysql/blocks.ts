// Several statements in one round trip for MariaDB: an anonymous block is prepared and run as a statement is, and what it asks
// comes back as results of their own. MySQL has no such blocks.

import { LRUCache } from 'lru-cache'
import type { Rows, BoundStatement } from '../../database/session.ts'
import { spread } from './lists.ts'
import { factsOf } from './texts.ts'

/** The statements around a transaction, told apart from others by being these. */
export const beginStep: BoundStatement = { text: 'BEGIN', values: [] }
export const commitStep: BoundStatement = { text: 'COMMIT', values: [] }

/** Most letters of the shapes that are remembered. */
const maxLetters = 4 * 1024 * 1024

/** A statement has room for 65,535 values, and a packet for 16 MB at least. */
const maxValues = 16_384
const maxSize = 1_000_000

/** A text for the driver, and its values. */
export interface Block {
  readonly sql: string
  readonly bound: readonly unknown[]
}

/** The blocks of one server. */
export class Blocks {
  /** Texts that came before; null where the server knows no blocks. */
  #seen: LRUCache<string, true> | null = null

  /** Does the server know them? */
  get areKnown(): boolean {
    return this.#seen !== null
  }

  /** The server was met and knows them. `most`: shapes that are run as blocks; a connection has room for other statements besides. */
  admit(most: number): void {
    this.#seen = new LRUCache({ max: most, maxSize: maxLetters, sizeCalculation: (_, text) => text.length })
  }

  /**
   * The statements as one: those that wait, and the last ones, of which `wanted` give rows that are wanted; 0 where it is known
   * what the last one did. Null where they have to run one after the other: where a block would not tell that, where they are
   * too much for one, and where nobody asked for such a block before, since callers choose shapes, each is kept by the server, and
   * most never come again.
   */
  join(unsent: readonly BoundStatement[], last: readonly BoundStatement[], wanted: number): Block | null {
    const seen = this.#seen
    if (seen === null || !tells(unsent, last, wanted)) return null
    const block = start()
    for (const step of unsent) if (!add(block, step)) return null
    for (const step of last) if (!add(block, step)) return null
    if (block.bound.length > maxValues || block.size > maxSize) return null
    block.sql += '\nEND'
    if (seen.get(block.sql) === true) return block
    seen.set(block.sql, true)
    return null
  }
}

/** Does a block tell what the last statements gave? */
function tells(unsent: readonly BoundStatement[], last: readonly BoundStatement[], wanted: number): boolean {
  if (wanted > 0) return last.every(step => factsOf(step.text).givesRows)
  if (last.length !== 1) return false
  if (last[0] === commitStep) return true
  return unsent.length === 1 && unsent[0] === beginStep && factsOf(last[0]!.text).tellsChanges
}

/** A block that is being put together. */
interface Draft {
  sql: string
  size: number
  readonly bound: unknown[]
}

const start = (): Draft => ({ sql: 'BEGIN NOT ATOMIC', size: 0, bound: [] })

/** False where the statement may not stand in a block. */
function add(draft: Draft, step: BoundStatement): boolean {
  // BEGIN would begin a block within the block.
  if (step === beginStep) draft.sql += '\nSTART TRANSACTION;'
  else if (step === commitStep) draft.sql += '\nCOMMIT\n;'
  else {
    const { text, values } = step
    if (!factsOf(text).isJoinable) return false
    const { sql, bound, isOnce } = spread(text, values, () => '')
    if (isOnce) return false
    // Each on a line of its own, for those that end in a comment.
    draft.sql += `\n${sql}\n;`
    for (const value of bound) {
      draft.size += typeof value === 'string' || value instanceof Uint8Array ? value.length : 0
      draft.bound.push(value)
    }
  }
  return true
}

/** The rows of a block's last statements, behind which the server says that the block is done. */
export function rowsOf(result: unknown, count: number): Rows[] {
  return (result as Rows[]).slice(-1 - count, -1)
}
