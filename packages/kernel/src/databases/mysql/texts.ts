// What must be known of a statement's text before it runs on MySQL or MariaDB. It is read out of the text once: texts come again
// with other values.

import { LRUCache } from 'lru-cache'

/** What a text is. */
export interface TextFacts {
  /** No prepared statement may say it. */
  readonly isUnprepared: boolean
  /** Puts a connection in order, whatever became of the transaction. */
  readonly isCleaning: boolean
  /** A single statement about rows, which may stand in a block with others. */
  readonly isJoinable: boolean
  /** Gives rows. Only then they can be found among the results of a block. */
  readonly givesRows: boolean
  /** Changes rows and gives none: it may wait for the next one. */
  readonly mayWait: boolean
  /** A block tells how many rows it changed. It tells a sum, and no ids. */
  readonly tellsChanges: boolean
}

const known = new LRUCache<string, TextFacts>({
  max: 5000,
  maxSize: 4 * 1024 * 1024,
  sizeCalculation: (_, text) => text.length + 1,
})

/** The facts of a text. */
export function factsOf(text: string): TextFacts {
  const remembered = known.get(text)
  if (remembered !== undefined) return remembered
  const made = read(text)
  known.set(text, made)
  return made
}

/**
 * A block is never prepared anew, so that `*` would be the columns of the day it was; locks are given back whatever became of
 * what came before.
 */
function read(text: string): TextFacts {
  const [, verb = ''] = /^(SELECT|INSERT|UPDATE|DELETE) [^;]*$/i.exec(text) ?? []
  const isAboutRows = verb !== ''
  const isJoinable = isAboutRows && !/\*|_LOCK\s*\(|\bINTO\s*@/i.test(text.replaceAll('COUNT(*)', ''))
  const givesRows = /^SELECT /i.test(text) || /\bRETURNING\b/i.test(text)
  return {
    isUnprepared: /^(SET |SAVEPOINT |RELEASE |ROLLBACK|COMMIT$|BEGIN$|START TRANSACTION$)/.test(text),
    isCleaning: /^(SET |SELECT RELEASE_LOCK)/.test(text),
    isJoinable,
    givesRows,
    mayWait: isJoinable && !givesRows,
    tellsChanges: isJoinable && !givesRows && !/^insert/i.test(verb),
  }
}
