// The end of a write: its transaction, the hooks around COMMIT, and what the write answers. Knows nothing of inputs and
// of the statements that change entries.

import { collides, collisionOf } from '../connection/clash.ts'
import type { Maybe, Transaction } from '../connection/session.ts'
import type { Context } from '../context.ts'
import { NotFoundError } from '../errors.ts'
import type { HookRegistry } from '../hooks/hooks.ts'
import type { Lifecycles } from '../hooks/lifecycles.ts'
import type { Write } from '../hooks/write.ts'
import type { Engine } from '../read/engine.ts'
import type { PreparedQuery } from '../result/execution.ts'
import { checkSize } from '../result/size.ts'
import { planCommit } from './commit-plan.ts'
import type { EntryChanges } from './entry-changes.ts'
import { answerOf, type OpenWrite, type WriteResult, type Written } from './open-write.ts'
import type { OpenChange } from './opener.ts'
import type { RuleQueries } from './rule-queries.ts'

/** The objects that the end of a write uses. */
export interface CommitTools {
  readonly engine: Engine
  readonly hooks: HookRegistry
  readonly lifecycles: Lifecycles
  readonly rules: RuleQueries
  readonly changes: EntryChanges
}

/** Commits writes, and reads their answers. */
export class WriteCommits {
  readonly #tools: CommitTools

  constructor(tools: CommitTools) {
    this.#tools = tools
  }

  /** Runs a creation or update in a transaction, as its plan says, and answers it after COMMIT. */
  commit(change: OpenChange): Promise<WriteResult> {
    const { write, prepared, input } = change
    const { engine, hooks, lifecycles, changes } = this.#tools
    const { database } = engine
    // Evaluated once, because lifecycles may be added at any time, also while the write waits for its turn.
    const hasListeners = lifecycles.hasListeners(write.type.uid)
    const isObserved = hooks.compiled.onStatement !== null
    const { returns } = database.dialect
    const { mode, returning, options } = planCommit(write, input, { prepared, hasListeners, isObserved, returns })
    const isWhole = mode === 'transaction'
    const { onWrite, onCommit, mayAnswer } = write.hooks
    // Only the first attempt, and not in a transaction of the caller, which does not run again.
    let leavesLinksToKeys = database.dialect.leavesLinksToKeys && database.current === undefined
    const work = async (tx: Transaction) => {
      write.tx = tx
      let written: Written
      try {
        const options = { returning, leavesLinksToKeys }
        leavesLinksToKeys = false
        written = await changes.run(tx, change, options)
        // Hooks run their statements next: errors of pipelined statements must not appear there.
        if (isWhole || mayAnswer) await tx.flush()
      } catch (error) {
        throw collisionOf(error)
      }
      for (const test of write.tests ?? []) await test()
      if (isWhole) await onWrite?.(write)
      const result = await this.#result(write, prepared, written)
      return hasListeners || onCommit !== null ? await this.complete(write, result, hasListeners) : result
    }
    return isWhole ? database.transaction(work, options) : database.grouped(work, options)
  }

  /** Returns what the write answers. Throws ForbiddenError if a rule hides what was written from the caller. */
  #result(write: OpenWrite, prepared: PreparedQuery, { id, row }: Written): Maybe<WriteResult> {
    const { result: rule, context } = write
    if (row !== null && rule === null) return answerOf(prepared, row)
    return collides(async () => {
      if (rule !== null) await this.#tools.rules.requireResult(rule, id, context)
      return row === null ? await this.read(prepared, id, context) : answerOf(prepared, row)
    })
  }

  /** Runs the lifecycles after the write, and registers the hooks after COMMIT. */
  async complete(write: OpenWrite, result: WriteResult, hasListeners: boolean): Promise<WriteResult> {
    const entries = hasListeners ? await this.#tools.lifecycles.after(write, result) : null
    const { onCommit } = write.hooks
    if (onCommit !== null) write.tx!.afterCommit<Write>(onCommit, write)
    return entries === null ? result : { ...result, entries }
  }

  /**
   * Reads the answer. Throws NotFoundError if there is no entry: an update of one statement has been committed already,
   * so another process may have deleted the entry since.
   */
  async read(answer: PreparedQuery, id: number, context: Context): Promise<WriteResult> {
    const { engine, lifecycles } = this.#tools
    const prepared = engine.rebind(answer, id, context)
    const { uid } = prepared.parsed.query
    const events = lifecycles.hasReadListeners(uid)
      ? await lifecycles.read(engine.registry.require(uid), 'FindOne', {}, id)
      : null
    const result = await engine.run(prepared, context)
    if (result.rows.rows.length === 0) throw new NotFoundError()
    // Before COMMIT, so that a write whose answer is too large is rolled back.
    if (context.limits !== undefined && result.rows.branches.length > 0) checkSize(result.rows, context.limits)
    return { ...(events === null ? result : await events.after(result)), prepared }
  }
}
