// Decides how a write is committed and what its statement returns: everything that spares a write a transaction, a
// savepoint, an asynchronous context or the query of its answer, with the reasons. Runs nothing, and knows neither
// sessions nor SQL.

import type { CommitMode, TransactionOptions } from '../connection/bracket.ts'
import type { PreparedQuery } from '../result/execution.ts'
import type { Dialect } from '../sql/dialect.ts'
import { isRestricted, type OpenWrite } from './open-write.ts'
import type { Input } from './parse.ts'

/** The plan of the COMMIT of a creation or update. */
export interface CommitPlan {
  readonly mode: CommitMode
  /** The columns that the changing statement returns, which are the whole answer; null if a query reads the answer. */
  readonly returning: string | null
  /** The options of the transaction. */
  readonly options: TransactionOptions
}

/** The facts that decide, apart from the write and its input. */
export interface CommitFacts {
  /** The query of the answer. */
  readonly prepared: PreparedQuery
  /** True if lifecycles listen to writes of the type. */
  readonly hasListeners: boolean
  /** True if a hook observes all statements (`onStatement`). */
  readonly isObserved: boolean
  /** The changing statements of the database that return columns. */
  readonly returns: Dialect['returns']
}

/** Plans the COMMIT of a creation or update. */
export function planCommit(write: OpenWrite, input: Input, facts: CommitFacts): CommitPlan {
  const mode = commitMode(write, input, facts)
  const returning = returningColumns(write, input, facts, mode)
  const isPrivate = returning !== null && isUnheard(write, facts)
  if (write.action === 'create')
    return { mode, returning, options: { mode, isPrivate, serializable: write.serializable } }
  // Functions of `onCommit` hooks run in the order of the changes, so these changes run one after the other.
  const isShort = mode === 'statement' && write.hooks.onCommit === null
  const turn = { table: write.type.table, id: write.id!, isShort }
  return { mode, returning, options: { mode, isPrivate, turn } }
}

/**
 * Returns the mode of a creation or update. A deletion is always a transaction: it reads the entry before it removes
 * it.
 */
export function commitMode(write: OpenWrite, input: Input, facts: CommitFacts): CommitMode {
  // Hooks, their tests and lifecycles in the transaction may wait for anything, and would delay all other writes of a group.
  const { onLock, onWrite } = write.hooks
  if (onLock !== null || onWrite !== null || write.tests !== null || facts.hasListeners) return 'transaction'
  return isOneStatement(write, input, facts) ? 'statement' : 'group'
}

/**
 * Returns whether the UPDATE of the row is the only statement that must succeed: none before it locks or checks
 * anything, and nothing after it can refuse the write. Creations are not planned as one statement: nearly all have
 * links.
 */
function isOneStatement(write: OpenWrite, input: Input, { prepared }: CommitFacts): boolean {
  if (write.action !== 'update' || !isRowAlone(input)) return false
  // The row is locked first, and compared with what hooks have read.
  if (write.rowVersion !== null || write.lockedWith.length > 0) return false
  // Rules are tested on what is stored, and roll the write back.
  if (isRestricted(write)) return false
  // A unique value is looked up before the UPDATE.
  if (input.uniques.length > 0) return false
  // The answer may be too large, which rolls the write back.
  const isLimited = write.context.limits !== undefined || !prepared.parsed.query.internal
  return !(isLimited && prepared.compiled.isBroad)
}

/** Returns whether the input changes nothing but the row of the entry. */
function isRowAlone({ entry }: Input): boolean {
  return entry.relations.length === 0 && entry.components.length === 0
}

/** Returns the columns for RETURNING; null unless the row is the whole answer. */
function returningColumns(write: OpenWrite, input: Input, facts: CommitFacts, mode: CommitMode): string | null {
  const { action, hooks } = write
  // `onWrite` hooks and lifecycles may change the entry after the statement, hooks of reads may change the answer.
  if (mode === 'transaction' || hooks.isWatched) return null
  // An update of relations or components may change no column of the row, and then has no UPDATE.
  if (action === 'update' && !isRowAlone(input)) return null
  if (!facts.returns[action === 'create' ? 'insert' : 'update']) return null
  return facts.prepared.compiled.returning
}

/** Returns whether no hook hears of the statements or the COMMIT, and no rule is tested. */
function isUnheard(write: OpenWrite, { isObserved }: CommitFacts): boolean {
  return !isRestricted(write) && !isObserved && write.hooks.onCommit === null
}
