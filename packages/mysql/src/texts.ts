// Properties of a statement's text that are needed before it runs on MySQL or MariaDB. They are derived once per text,
// because texts recur with other values.

import { TextCache } from '@plinth/kernel/database'

/** The properties of a text. */
export interface TextFacts {
  /** The statement cannot be prepared. */
  readonly isUnprepared: boolean
  /** Resets state of the connection, so it runs even after the transaction has failed. */
  readonly isCleaning: boolean
  /** A single statement about rows, which can be part of a block. */
  readonly isJoinable: boolean
  /** Returns rows. Only then can they be found among the results of a block. */
  readonly givesRows: boolean
  /** Changes rows and returns none, so it can be queued for the next statement. */
  readonly mayWait: boolean
  /** The result of a block shows how many rows it changed. That is a sum, without ids. */
  readonly tellsChanges: boolean
}

const cache = new TextCache<TextFacts>({
  max: 5000,
  maxSize: 4 * 1024 * 1024,
  sizeCalculation: (_, text) => text.length + 1,
})

/** Returns the properties of a text. */
export function factsOf(text: string): TextFacts {
  let facts = cache.get(text)
  if (facts === undefined) {
    facts = read(text)
    cache.set(text, facts)
  }
  return facts
}

/**
 * A block is not prepared again, so `*` would keep the columns that it had at first. Locks are released even if earlier
 * statements failed.
 */
function read(text: string): TextFacts {
  const [, verb = ''] = /^(SELECT|INSERT|UPDATE|DELETE) [^;]*$/i.exec(text) ?? []
  const isAboutRows = verb !== ''
  const isJoinable = isAboutRows && !/\*|_LOCK\s*\(|\bINTO\s*@/i.test(text.replaceAll('COUNT(*)', ''))
  const givesRows = /^SELECT /i.test(text) || /\bRETURNING\b/i.test(text)
  return {
    isUnprepared: /^(SET |SAVEPOINT |RELEASE |ROLLBACK|COMMIT$|BEGIN$|START TRANSACTION)/.test(text),
    isCleaning: /^(SET |SELECT RELEASE_LOCK)/.test(text),
    isJoinable,
    givesRows,
    mayWait: isJoinable && !givesRows,
    tellsChanges: isJoinable && !givesRows && !/^insert/i.test(verb),
  }
}
