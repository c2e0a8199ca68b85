// Begins a write: checks the rights, prepares the query of the answer, removes from the data what cannot be converted,
// what callers may not write and what rules take out, and runs lifecycles and `preWrite` hooks.

import { type Access, type Context, systemAccess } from '../context.ts'
import type { Prepared } from '../answer/execution.ts'
import type { Engine } from '../read/engine.ts'
import type { Maybe } from '../database/session.ts'
import { NotFoundError } from '../errors.ts'
import type { Lifecycles } from '../hooks/lifecycles.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Params } from '../query/parse.ts'
import type { OwnMeta } from '../query/query.ts'
import { isThenable } from '../registration/checks.ts'
import { ConvertibleInput } from './convertible.ts'
import { type Linked, type LinkRules, noLinks } from './link-rules.ts'
import { isObject } from './parse.ts'
import type { EntryReader } from './reader.ts'
import { WritableInput } from './writable.ts'
import type { WriteHookTable } from './write-hooks.ts'
import type { WriteAction } from '../hooks/write.ts'
import { type OpenWrite, openWrite } from './open-write.ts'

type Data = Record<string, unknown>

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
  readonly meta: OwnMeta
  /** Whether the right to the action was checked. */
  readonly isAuthorized: boolean
}

/** A write that has begun, and the prepared query of its answer. */
export interface Opened {
  readonly write: OpenWrite
  readonly prepared: Prepared
}

/** A write whose right and query were checked. */
interface Checked {
  readonly request: WriteRequest
  readonly type: ContentType
  /** The action whose right the write needs. */
  readonly right: WriteAction
  readonly prepared: Prepared
  /** The query that the entry must fulfil; null if no rule restricts the caller. */
  readonly target: Prepared | null
}

/** Opens writes. */
export class Opener {
  readonly #engine: Engine
  readonly #hooks: WriteHookTable
  readonly #lifecycles: Lifecycles
  readonly #entries: EntryReader
  readonly #convertible: ConvertibleInput
  readonly #writable: WritableInput
  readonly #links: LinkRules

  constructor(
    engine: Engine,
    hooks: WriteHookTable,
    lifecycles: Lifecycles,
    { entries, links }: { readonly entries: EntryReader; readonly links: LinkRules },
  ) {
    this.#engine = engine
    this.#hooks = hooks
    this.#lifecycles = lifecycles
    this.#entries = entries
    this.#convertible = new ConvertibleInput(engine.registry)
    this.#writable = new WritableInput(engine.registry)
    this.#links = links
  }

  /**
   * Begins a write. A promise only if rules, lifecycles or hooks take time. Throws ForbiddenError, ValidationError,
   * NotFoundError and errors of hooks.
   */
  open(request: WriteRequest): Maybe<Opened> {
    const { uid, action, id, params, context, meta, isAuthorized } = request
    const type = this.#engine.registry.require(uid)
    // The entry of a single type is created by the action `update` (B-1.7), so rules on updates hold for it.
    const right = type.kind === 'singleType' && action === 'create' ? 'update' : action
    if (!isAuthorized) this.#engine.authorize(uid, right, context.access)
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
    const checked: Checked = { request, type, right, prepared, target }
    if (target === null) return this.#begin(checked)
    return this.#entries.requireTarget(target, id!, context).then(() => this.#begin(checked))
  }

  #begin({ request, type, right, prepared, target }: Checked): Maybe<Opened> {
    const { uid, action, id, data, params, context } = request
    const result = right === 'delete' ? null : this.#entries.result(uid, right, context)
    // Data that is not an object is refused by the parser; hooks and lifecycles do not run.
    const isEntry = isObject(data)
    const sent = isEntry ? this.#accepted(type, right, data, context.access) : { data: data as Data, links: noLinks }
    const own = isEntry ? { ...sent.data } : sent.data
    const hooks = this.#hooks.of(uid, action, context)
    const begin = { type, action, id, data: own, params, context, hooks, target, result, links: sent.links }
    const opened: Opened = { write: openWrite(begin, sent.data, this.#entries), prepared }
    if (!isEntry) return opened
    if (!this.#lifecycles.hasListeners(uid)) return runHooks(opened)
    return this.#announce(opened.write).then(() => runHooks(opened))
  }

  /** The sent data without what cannot be converted, what callers may not write, and relations that rules take out. */
  #accepted(type: ContentType, right: WriteAction, data: Data, access: Access): Linked {
    const sent = this.#convertible.convertible(type, data)
    if (access === systemAccess) return { data: sent, links: noLinks }
    const open = this.#writable.strip(type, sent)
    return right === 'delete' ? { data: open, links: noLinks } : this.#links.apply(type, right, open, access)
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

/** Runs `preWrite` hooks. */
function runHooks(opened: Opened): Maybe<Opened> {
  const running = opened.write.hooks.preWrite?.(opened.write)
  return isThenable(running) ? Promise.resolve(running).then(() => opened) : opened
}
