// Begins a write: checks the rights, prepares the query of the answer, removes from the data what cannot be converted
// and what callers may not write, and runs lifecycles and `preWrite` hooks.

import { type Context, systemAccess } from '../context.ts'
import type { Prepared } from '../answer/execution.ts'
import { authorize, type Engine } from '../read/engine.ts'
import { NotFoundError } from '../errors.ts'
import type { HookRegistry } from '../hooks/hooks.ts'
import type { Lifecycles } from '../hooks/lifecycles.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Params } from '../query/parse.ts'
import { ConvertibleInput } from './convertible.ts'
import { isObject } from './parse.ts'
import type { EntryReader } from './reader.ts'
import { WritableInput } from './writable.ts'
import type { WriteAction } from '../hooks/write.ts'
import { type OpenWrite, openWrite } from './open-write.ts'

/** The arguments of a write. */
export interface WriteRequest {
  readonly uid: string
  readonly action: WriteAction
  /** Null for a creation. */
  readonly id: number | null
  readonly data: unknown
  readonly params: Params
  readonly context: Context
  /** Whether entries of the answer have their own `meta`. */
  readonly meta: boolean
}

/** A write that has begun, and the prepared query of its answer. */
export interface Opened {
  readonly write: OpenWrite
  readonly prepared: Prepared
}

/** Opens writes. */
export class Opener {
  readonly #engine: Engine
  readonly #hooks: HookRegistry
  readonly #lifecycles: Lifecycles
  readonly #entries: EntryReader
  readonly #convertible: ConvertibleInput
  readonly #writable: WritableInput

  constructor(engine: Engine, hooks: HookRegistry, lifecycles: Lifecycles, entries: EntryReader) {
    this.#engine = engine
    this.#hooks = hooks
    this.#lifecycles = lifecycles
    this.#entries = entries
    this.#convertible = new ConvertibleInput(engine.registry)
    this.#writable = new WritableInput(engine.registry)
  }

  /** Begins a write. Throws ForbiddenError, ValidationError, NotFoundError and errors of hooks. */
  async open({ uid, action, id, data, params, context, meta }: WriteRequest): Promise<Opened> {
    const type = this.#engine.registry.require(uid)
    // The entry of a single type is created by the action `update` (B-1.7).
    authorize(uid, type.kind === 'singleType' && action === 'create' ? 'update' : action, context.access)
    // The query of the answer must be valid before anything is written.
    const internal = context.access === systemAccess
    const prepared = this.#entries.prepareAnswer(
      { uid, action, id: 0, pagination: null, meta, internal },
      params,
      context,
    )
    if (id !== null && !this.#entries.mayExist(id)) throw new NotFoundError()
    const target = action === 'create' ? null : this.#entries.target(uid, action, context)
    // Hooks and lifecycles must not run for an entry that the caller cannot change.
    if (target !== null) await this.#entries.requireTarget(target, id!, context)
    // Data that is not an object is refused by the parser; hooks and lifecycles do not run.
    const isEntry = isObject(data)
    const own = isEntry ? this.#own(type, data, internal) : (data as Record<string, unknown>)
    const write: OpenWrite = openWrite({ type, action, id, data: own, params, context, target }, this.#entries)
    if (!isEntry) return { write, prepared }
    if (this.#lifecycles.hasListeners(uid)) await this.#announce(write)
    await this.#hooks.compiled.preWrite?.for(uid, action)?.(write)
    return { write, prepared }
  }

  /** A copy of the sent data, for hooks and lifecycles. */
  #own(type: ContentType, data: Record<string, unknown>, internal: boolean): Record<string, unknown> {
    const sent = this.#convertible.convertible(type, data)
    return { ...(internal ? sent : this.#writable.strip(type, sent)) }
  }

  /** Runs lifecycles, which may name another entry. Throws NotFoundError if the entry does not exist. */
  async #announce(write: OpenWrite): Promise<void> {
    const { type, action, context } = write
    if (action !== 'create') await this.#entries.announce(write)
    const where = await this.#lifecycles.before(write)
    if (where === null) return
    write.id = await this.#engine.firstId(type.uid, where, context)
    if (write.id === null) throw new NotFoundError()
  }
}
