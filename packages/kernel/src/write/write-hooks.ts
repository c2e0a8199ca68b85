// The hooks that listen to writes, found once per type and action: every write asks for them several times.

import type { Composed } from '../hooks/listeners.ts'
import type { HookRegistry } from '../hooks/hooks.ts'
import type { WriteAction } from '../hooks/write.ts'
import type { Engine } from '../read/engine.ts'

/** The functions for writes of one type and action; null if none listens. They do not change after the freeze. */
export interface WriteHooks {
  readonly preWrite: Composed | null
  readonly onWrite: Composed | null
  readonly onCommit: Composed | null
  /** Whether a hook runs around the query of the answer: `preExecute` or `onExecute`. */
  readonly isWatched: boolean
  /** Whether a hook may answer instead of the database: `preExecute`. */
  readonly mayAnswer: boolean
}

/** Finds the hooks of writes. */
export class WriteHookTable {
  readonly #engine: Engine
  readonly #hooks: HookRegistry
  readonly #known: Readonly<Record<WriteAction, Map<string, WriteHooks>>> = {
    create: new Map(),
    update: new Map(),
    delete: new Map(),
  }

  constructor(engine: Engine, hooks: HookRegistry) {
    this.#engine = engine
    this.#hooks = hooks
  }

  /** The hooks for a type, by its uid, and an action. */
  of(uid: string, action: WriteAction): WriteHooks {
    const byType = this.#known[action]
    const known = byType.get(uid)
    if (known !== undefined) return known
    const { preWrite, onWrite, onCommit, preExecute } = this.#hooks.compiled
    const made = {
      preWrite: preWrite?.for(uid, action) ?? null,
      onWrite: onWrite?.for(uid, action) ?? null,
      onCommit: onCommit?.for(uid, action) ?? null,
      isWatched: this.#engine.isWatched(uid, action),
      mayAnswer: (preExecute?.for(uid, action) ?? null) !== null,
    }
    byType.set(uid, made)
    return made
  }
}
