// Finds the hooks that listen to writes, once per type and action: every write asks for them several times.

import type { Context } from '../context.ts'
import type { HookRegistry } from '../hooks/hooks.ts'
import type { ComposedHook } from '../hooks/listeners.ts'
import type { WriteAction } from '../hooks/write.ts'
import type { Engine } from '../read/engine.ts'

/** The functions for writes of one type and action; null if none listens. They do not change after the freeze. */
export interface WriteHooks {
  readonly preWrite: ComposedHook | null
  readonly onLock: ComposedHook | null
  readonly onWrite: ComposedHook | null
  readonly onCommit: ComposedHook | null
  /** True if a hook runs around the query of the answer: `preExecute` or `onExecute`. */
  readonly isWatched: boolean
  /** True if a hook may answer instead of the database: `preExecute`. */
  readonly mayAnswer: boolean
}

/** Returns whether functions that do not listen to all writes listen to one; null if they always run. */
type Switch = ((context: Context) => boolean) | null

/** The hooks of one type and action, and which of them listen to a write. */
interface TypeHooks {
  readonly onLock: Switch
  readonly onWrite: Switch
  readonly onCommit: Switch
  /** The hooks of a write by what does not listen to it: 1 for onWrite, 2 for onCommit, 4 for onLock, added. */
  readonly variants: readonly WriteHooks[]
}

/** Finds the hooks of writes. */
export class WriteHookTable {
  readonly #engine: Engine
  readonly #hooks: HookRegistry
  readonly #byType: Readonly<Record<WriteAction, Map<string, TypeHooks>>> = {
    create: new Map(),
    update: new Map(),
    delete: new Map(),
  }

  constructor(engine: Engine, hooks: HookRegistry) {
    this.#engine = engine
    this.#hooks = hooks
  }

  /** Returns the hooks for a write of a type, by its uid, and an action. */
  of(uid: string, action: WriteAction, context: Context): WriteHooks {
    const { onLock, onWrite, onCommit, variants } = this.#byType[action].get(uid) ?? this.#find(uid, action)
    let missing = 0
    if (onWrite !== null && !onWrite(context)) missing += 1
    if (onCommit !== null && !onCommit(context)) missing += 2
    if (onLock !== null && !onLock(context)) missing += 4
    return variants[missing]!
  }

  #find(uid: string, action: WriteAction): TypeHooks {
    const { preWrite, onLock, onWrite, onCommit, preExecute } = this.#hooks.compiled
    const hooks = {
      preWrite: preWrite?.for(uid, action) ?? null,
      onLock: onLock?.for(uid, action) ?? null,
      onWrite: onWrite?.for(uid, action) ?? null,
      onCommit: onCommit?.for(uid, action) ?? null,
      isWatched: this.#engine.hooks.areAround(uid, action),
      mayAnswer: (preExecute?.for(uid, action) ?? null) !== null,
    }
    const without = (missing: number): WriteHooks => ({
      ...hooks,
      ...(missing & 1 && { onWrite: null }),
      ...(missing & 2 && { onCommit: null }),
      ...(missing & 4 && { onLock: null }),
    })
    const ofType: TypeHooks = {
      onLock: onLock?.switchFor(uid, action) ?? null,
      onWrite: onWrite?.switchFor(uid, action) ?? null,
      onCommit: onCommit?.switchFor(uid, action) ?? null,
      variants: [0, 1, 2, 3, 4, 5, 6, 7].map(without),
    }
    this.#byType[action].set(uid, ofType)
    return ofType
  }
}
