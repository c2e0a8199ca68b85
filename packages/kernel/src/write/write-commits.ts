// The end of a write: its transaction, the hooks around COMMIT, and what the write answers. Knows nothing of inputs and
// of the statements that change entries.

import type { Prepared } from '../answer/execution.ts'
import { checkSize } from '../answer/size.ts'
import type { Context } from '../context.ts'
import type { TransactionOptions } from '../database/bracket.ts'
import { collides, collisionOf } from '../database/clash.ts'
import type { Maybe, Transaction } from '../database/session.ts'
import { NotFoundError } from '../errors.ts'
import type { HookRegistry } from '../hooks/hooks.ts'
import type { Lifecycles } from '../hooks/lifecycles.ts'
import type { Write } from '../hooks/write.ts'
import type { Engine } from '../read/engine.ts'
import { answerOf, isRestricted, type OpenWrite, type WriteResult, type Written } from './open-write.ts'
import type { EntryReader } from './reader.ts'

/** What the end of a write uses. */
export interface CommitTools {
  readonly engine: Engine
  readonly hooks: HookRegistry
  readonly lifecycles: Lifecycles
  readonly entries: EntryReader
}

/** A write that is ready to run: `work` locks, checks and changes the entry in the transaction. */
export interface ReadyWrite {
  readonly write: OpenWrite
  readonly prepared: Prepared
  readonly work: (tx: Transaction) => Promise<Written>
}

/** Commits writes, and reads their answers. */
export class WriteCommits {
  readonly #tools: CommitTools

  constructor(tools: CommitTools) {
    this.#tools = tools
  }

  /** Whether the write can join a group commit: hooks and lifecycles may wait for anything, and delay the group. */
  isGroupable({ type, hooks }: OpenWrite): boolean {
    return hooks.onWrite === null && !this.#tools.lifecycles.hasListeners(type.uid)
  }

  /** The columns for RETURNING if the row is the whole answer: without branches and without hooks of reads; or null. */
  returning({ action, hooks }: OpenWrite, { compiled }: Prepared): string | null {
    if (!this.#tools.engine.database.dialect.returns[action === 'create' ? 'insert' : 'update']) return null
    return hooks.isWatched ? null : compiled.returning
  }

  /** Whether the returned row is the whole answer, no rule is tested, and no hook observes the COMMIT or statements. */
  isPrivate(write: OpenWrite, columns: string | null): boolean {
    if (columns === null || isRestricted(write)) return false
    return this.#tools.hooks.compiled.onStatement === null && write.hooks.onCommit === null
  }

  /** Runs the write in a transaction, and answers it after COMMIT. */
  commit({ write, prepared, work }: ReadyWrite, options: TransactionOptions): Promise<WriteResult> {
    const { engine, lifecycles } = this.#tools
    // Evaluated once, because lifecycles may be added at any time, also while the write waits for its turn.
    const isShort = this.isGroupable(write)
    const hasListeners = lifecycles.hasListeners(write.type.uid)
    const { onWrite, onCommit, mayAnswer } = write.hooks
    const commit = async (tx: Transaction) => {
      write.tx = tx
      let written: Written
      try {
        written = await work(tx)
        // Hooks run their statements next: errors of pipelined statements must not appear there.
        if (!isShort || mayAnswer) await tx.flush()
      } catch (error) {
        throw collisionOf(error)
      }
      if (!isShort) await onWrite?.(write)
      const result = await this.#result(write, prepared, written)
      return hasListeners || onCommit !== null ? await this.complete(write, result, hasListeners) : result
    }
    return isShort ? engine.database.grouped(commit, options) : engine.database.transaction(commit, options)
  }

  /** What the write answers. Throws ForbiddenError if a rule hides what was written from the caller. */
  #result(write: OpenWrite, prepared: Prepared, { id, row }: Written): Maybe<WriteResult> {
    const { result: rule, context } = write
    if (row !== null && rule === null) return answerOf(prepared, row)
    return collides(async () => {
      if (rule !== null) await this.#tools.entries.requireResult(rule, id, context)
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
   * Reads the answer. Throws NotFoundError if there is no entry: an update of one statement has been committed already, so
   * another process may have deleted the entry since.
   */
  async read(known: Prepared, id: number, context: Context): Promise<WriteResult> {
    const { engine, lifecycles } = this.#tools
    const prepared = engine.rebind(known, id, context)
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
