// Several statements in one round trip for MariaDB: an anonymous block is prepared and run as a statement is, and what it asks
// comes back as results of their own. MySQL has no such blocks.

import { LRUCache } from 'lru-cache'
import type { Rows, Step } from '../../database/session.ts'
import { spread } from './lists.ts'

/** Most letters of the shapes that are remembered. */
const mostLetters = 4 * 1024 * 1024

/** A statement has room for 65,535 values, and a packet for 16 MB at least. */
const mostValues = 16_384
const mostSize = 1_000_000

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
    this.#seen = new LRUCache({ max: most, maxSize: mostLetters, sizeCalculation: (_, text) => text.length })
  }

  /**
   * The steps as one. Null where they have to run one after the other: where they are too much for one, and where nobody asked for
   * such a block before, since callers choose shapes, each is kept by the server, and most never come again.
   */
  join(steps: readonly Step[]): Block | null {
    const seen = this.#seen
    if (seen === null || !steps.every(isJoinable)) return null
    let sql = 'BEGIN NOT ATOMIC'
    let size = 0
    const bound: unknown[] = []
    for (const { text, values } of steps) {
      const one = spread(text, values, () => '')
      if (one.isOnce) return null
      // Each on a line of its own, for those that end in a comment.
      sql += text === 'BEGIN' ? '\nSTART TRANSACTION;' : `\n${one.sql}\n;`
      for (const value of one.bound) {
        size += typeof value === 'string' || value instanceof Uint8Array ? value.length : 0
        bound.push(value)
      }
    }
    if (bound.length > mostValues || size > mostSize) return null
    sql += '\nEND'
    if (seen.get(sql) === true) return { sql, bound }
    seen.set(sql, true)
    return null
  }
}

/**
 * Texts by whether they may stand in a block: a single statement about rows. A block is never prepared anew, so that `*` would be
 * the columns of the day it was; locks are given back whatever became of what came before.
 */
const joinable = new LRUCache<string, boolean>({
  max: 5000,
  maxSize: mostLetters,
  sizeCalculation: (_, text) => text.length + 1,
})

function isJoinable({ text }: Step): boolean {
  const known = joinable.get(text)
  if (known !== undefined) return known
  const isAboutRows = /^(BEGIN$|COMMIT$|SELECT |INSERT |UPDATE |DELETE )[^;]*$/i.test(text)
  const made = isAboutRows && !/\*|_LOCK\s*\(|\bINTO\s*@/i.test(text.replaceAll('COUNT(*)', ''))
  joinable.set(text, made)
  return made
}

const changesRows = (text: string) => /^(INSERT|UPDATE|DELETE) /i.test(text)

/** Does a statement give rows? Only then they can be found among the results of a block. */
export const givesRows = (text: string): boolean => /^SELECT /i.test(text) || /\bRETURNING\b/i.test(text)

/** May the statement wait for the next one? */
export const mayWait = (step: Step): boolean => changesRows(step.text) && !givesRows(step.text) && isJoinable(step)

/** Does a block tell what the last statement changed? It tells a sum, and no ids. */
export const tellsChanges = (unsent: readonly Step[], text: string): boolean =>
  unsent.length === 1 && unsent[0]!.text === 'BEGIN' && changesRows(text) && !/^INSERT/i.test(text) && !givesRows(text)

/** The rows of a block's last statements, behind which the server says that the block is done. */
export function rowsOf(result: unknown, count: number): Rows[] {
  return (result as Rows[]).slice(-1 - count, -1)
}
