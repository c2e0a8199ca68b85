// Runs several statements in one round trip on MariaDB: an anonymous block is prepared and executed like one statement,
// and each statement's result is returned separately. MySQL has no such blocks.

import { type BoundStatement, type Rows, TextCache } from '@plinth/kernel/database'
import { spread } from './lists.ts'
import { factsOf } from './texts.ts'

/** The statements around a transaction, recognised by identity. */
export const beginStep: BoundStatement = { text: 'BEGIN', values: [] }
export const commitStep: BoundStatement = { text: 'COMMIT', values: [] }

/**
 * The statements around the snapshot of a read, recognised by identity, too. The snapshot is that of the first statement
 * about rows.
 */
export const snapshotSteps: readonly BoundStatement[] = [
  { text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ', values: [] },
  { text: 'START TRANSACTION READ ONLY', values: [] },
]
export const snapshotEnd: BoundStatement = { text: 'COMMIT', values: [] }
const frames: ReadonlySet<BoundStatement> = new Set([commitStep, ...snapshotSteps, snapshotEnd])

/** The maximum number of characters of the shapes that are remembered. */
const maxLetters = 4 * 1024 * 1024

/** Limits of a block: a statement can bind 65,535 values, and a packet holds at least 16 MB. */
const maxValues = 16_384
const maxSize = 1_000_000

/** Statements that are sent together. */
export interface Steps {
  /** Those that were queued. */
  readonly unsent: readonly BoundStatement[]
  /** Those whose results the caller waits for. */
  readonly last: readonly BoundStatement[]
  /** The end of a snapshot, which is sent after them; or null. */
  readonly end: BoundStatement | null
  /** Number of the last statements that return rows; 0 if only the number of changed rows is needed. */
  readonly rowSetCount: number
}

/** A statement text for the driver, and its values. */
export interface Block {
  readonly sql: string
  readonly bound: readonly unknown[]
}

/** The blocks of one server. */
export class Blocks {
  /** Block texts that were requested before; null if the server does not support blocks. */
  #requestedTexts: TextCache<true> | null = null

  /** Returns whether the server supports blocks. */
  get areKnown(): boolean {
    return this.#requestedTexts !== null
  }

  /**
   * Enables blocks after connecting to a server that supports them. `most`: the number of shapes that run as blocks; a
   * connection also prepares other statements.
   */
  admit(most: number): void {
    this.#requestedTexts = new TextCache<true>({
      max: most,
      maxSize: maxLetters,
      sizeCalculation: (_, text) => text.length,
    })
  }

  /**
   * Joins statements into one block. Returns null if they must run one after the other: if a block would not return these
   * results, if they are too large for one, or if the same block was not requested before. The server keeps each shape of block, clients choose the shapes, and most shapes never recur.
   */
  join({ unsent, last, end, rowSetCount }: Steps): Block | null {
    const requestedTexts = this.#requestedTexts
    if (requestedTexts === null || !returnsResults(unsent, last, rowSetCount)) return null
    const block = start()
    for (const step of unsent) if (!add(block, step)) return null
    for (const step of last) if (!add(block, step)) return null
    if (end !== null) add(block, end)
    if (block.bound.length > maxValues || block.size > maxSize) return null
    block.sql += '\nEND'
    if (requestedTexts.get(block.sql) === true) return block
    requestedTexts.set(block.sql, true)
    return null
  }
}

/** Returns whether a block returns the results of the last statements. */
function returnsResults(
  unsent: readonly BoundStatement[],
  last: readonly BoundStatement[],
  rowSetCount: number,
): boolean {
  if (rowSetCount > 0) return last.every(step => factsOf(step.text).givesRows)
  if (last.length !== 1) return false
  if (last[0] === commitStep) return true
  return unsent.length === 1 && unsent[0] === beginStep && factsOf(last[0]!.text).tellsChanges
}

/** A block under construction. */
interface Draft {
  sql: string
  size: number
  readonly bound: unknown[]
}

const start = (): Draft => ({ sql: 'BEGIN NOT ATOMIC', size: 0, bound: [] })

/** Adds a statement; false if it cannot be part of a block. */
function add(draft: Draft, step: BoundStatement): boolean {
  // BEGIN would start a nested block.
  if (step === beginStep) draft.sql += '\nSTART TRANSACTION;'
  else if (frames.has(step)) draft.sql += `\n${step.text}\n;`
  else {
    const { text, values } = step
    if (!factsOf(text).isJoinable) return false
    const { sql, bound, isOnce } = spread(text, values, () => '')
    if (isOnce) return false
    // Each statement has its own line, because some end in a comment.
    draft.sql += `\n${sql}\n;`
    for (const value of bound) {
      draft.size += typeof value === 'string' || value instanceof Uint8Array ? value.length : 0
      draft.bound.push(value)
    }
  }
  return true
}

/** The rows of a block's last statements; after them comes the server's result for the block itself. */
export function rowsOf(result: unknown, count: number): Rows[] {
  return (result as Rows[]).slice(-1 - count, -1)
}
