// How a write begins: rights, the question of the answer, what was sent without what cannot be converted and without what is
// closed to callers, and those who hear of it before anything is written.

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

/** What is asked of a writer. */
export interface WriteRequest {
  readonly uid: string
  readonly action: WriteAction
  /** Null for a creation. */
  readonly id: number | null
  readonly data: unknown
  readonly params: Params
  readonly context: Context
  /** Does the answer have the meta of entries? */
  readonly meta: boolean
}

/** A write that has begun, and what its answer is asked for. */
export interface Opened {
  readonly write: OpenWrite
  readonly asked: Prepared
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

  /** Throws ForbiddenError, ValidationError, NotFoundError and what hooks throw. */
  async open({ uid, action, id, data, params, context, meta }: WriteRequest): Promise<Opened> {
    const type = this.#engine.registry.require(uid)
    // A single type is made by the action that changes it (B-1.7).
    authorize(uid, type.kind === 'singleType' && action === 'create' ? 'update' : action, context.access)
    // What the answer is asked for must be sound before anything is written.
    const internal = context.access === systemAccess
    const asked = this.#entries.ask({ uid, action, id: 0, pagination: null, meta, internal }, params, context)
    if (id !== null && !this.#entries.mayExist(id)) throw new NotFoundError()
    // What is no entry is the parser's to refuse, and nobody hears of it.
    const isEntry = isObject(data)
    const own = isEntry ? this.#own(type, data, internal) : (data as Record<string, unknown>)
    const write: OpenWrite = openWrite({ type, action, id, data: own, params, context }, this.#entries)
    if (!isEntry) return { write, asked }
    if (this.#lifecycles.hasListeners(uid)) await this.#announce(write)
    await this.#hooks.compiled.preWrite?.for(uid, action)?.(write)
    return { write, asked }
  }

  /** A copy of what was sent, for everyone who hears of the write. */
  #own(type: ContentType, data: Record<string, unknown>, internal: boolean): Record<string, unknown> {
    const sent = this.#convertible.convertible(type, data)
    return { ...(internal ? sent : this.#writable.strip(type, sent)) }
  }

  /** Tells lifecycles, which may name another entry. Throws NotFoundError where there is none. */
  async #announce(write: OpenWrite): Promise<void> {
    const { type, action, context } = write
    if (action !== 'create') await this.#entries.announce(write)
    const where = await this.#lifecycles.before(write)
    if (where === null) return
    write.id = await this.#engine.firstId(type.uid, where, context)
    if (write.id === null) throw new NotFoundError()
  }
}
