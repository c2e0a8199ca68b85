// The hooks of reads: which of them listen to queries of a type and action, and how they run around a query. Knows
// neither plans nor statements.

import type { HookRegistry } from '../hooks/hooks.ts'
import type { Execution, ReadResult } from '../result/execution.ts'
import type { CompiledPlan } from '../sql/compile.ts'

/** Runs hooks around queries. */
export class ReadHooks {
  readonly #hooks: HookRegistry

  constructor(hooks: HookRegistry) {
    this.#hooks = hooks
  }

  /** Returns whether a `prePlan` hook may add rules to queries of that type and action. */
  hasRules(uid: string, action: string): boolean {
    const { prePlan } = this.#hooks.compiled
    return prePlan !== null && prePlan.for(uid, action) !== null
  }

  /** Returns whether a hook runs around queries of that type and action: `preExecute` or `onExecute`. */
  areAround(uid: string, action: string): boolean {
    const { preExecute, onExecute } = this.#hooks.compiled
    return (preExecute?.for(uid, action) ?? null) !== null || (onExecute?.for(uid, action) ?? null) !== null
  }

  /** Runs `read` between the hooks, unless a `preExecute` hook returns a result, which is returned then. */
  async around(execution: Execution, read: () => Promise<ReadResult>): Promise<ReadResult> {
    const { uid, action } = execution.parsed.query
    const { preExecute, onExecute } = this.#hooks.compiled
    const early = await preExecute?.for(uid, action)?.(execution)
    if (early !== undefined) return withCurrentNode(execution.compiled, early as ReadResult)
    const result = await read()
    await onExecute?.for(uid, action)?.(execution, result)
    return result
  }
}

/** Replaces the node of a result: cached results of plugins may refer to the plan of a query that was evicted since. */
function withCurrentNode({ root }: CompiledPlan, result: ReadResult): ReadResult {
  const { rows } = result
  return rows.node === root ? result : { ...result, rows: { ...rows, node: root } }
}
