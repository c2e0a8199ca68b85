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

/** The hooks of one type and action, and whether functions that are switched on and off run now. */
interface KnownHooks {
  readonly hooks: WriteHooks
  /** Null if the functions always run. */
  readonly isOn: (() => boolean) | null
  /** The hooks while the functions of `onCommit` are off. */
  readonly quiet: WriteHooks
}

/** Finds the hooks of writes. */
export class WriteHookTable {
  readonly #engine: Engine
  readonly #hooks: HookRegistry
  readonly #known: Readonly<Record<WriteAction, Map<string, KnownHooks>>> = {
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
    const { hooks, isOn, quiet } = this.#known[action].get(uid) ?? this.#find(uid, action)
    return isOn === null || isOn() ? hooks : quiet
  }

  #find(uid: string, action: WriteAction): KnownHooks {
    const { preWrite, onWrite, onCommit, preExecute } = this.#hooks.compiled
    const hooks = {
      preWrite: preWrite?.for(uid, action) ?? null,
      onWrite: onWrite?.for(uid, action) ?? null,
      onCommit: onCommit?.for(uid, action) ?? null,
      isWatched: this.#engine.isWatched(uid, action),
      mayAnswer: (preExecute?.for(uid, action) ?? null) !== null,
    }
    const made = { hooks, isOn: onCommit?.switchFor(uid, action) ?? null, quiet: { ...hooks, onCommit: null } }
    this.#known[action].set(uid, made)
    return made
  }
}
