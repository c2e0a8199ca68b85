// Begins a write: checks the rights, prepares the query of the answer, removes from the data what cannot be converted,
// what callers may not write and what rules take out, runs lifecycles and `preWrite` hooks, and parses the data that is
// left. All of it precedes the transaction; knows no statements.

import type { Maybe } from '../connection/session.ts'
import { type Context, systemAccess } from '../context.ts'
import { DataForbiddenError, NotFoundError } from '../errors.ts'
import type { Lifecycles } from '../hooks/lifecycles.ts'
import type { WriteAction } from '../hooks/write.ts'
import type { ContentType } from '../model/content-type.ts'
import type { OwnMeta } from '../query/query.ts'
import type { Params } from '../query/request.ts'
import { isAnswerTo, type PreparedAnswer, prepareAnswer } from '../read/answers.ts'
import type { Engine } from '../read/engine.ts'
import { isRecord } from '../record.ts'
import { isThenable } from '../registration/checks.ts'
import type { PreparedQuery } from '../result/execution.ts'
import { mayExist } from '../sql/dialect.ts'
import type { EntryLookup } from './entry-lookup.ts'
import { InputParser } from './input.ts'
import { type CheckedLinks, type LinkRules, noLinks } from './link-rules.ts'
import { type OpenWrite, openWrite } from './open-write.ts'
import type { RuleQueries } from './rule-queries.ts'
import { ConvertibleInput, WritableInput } from './sent-data.ts'
import type { WriteHookTable } from './write-hooks.ts'
import { type InputSources, prepareCreation, prepareUpdate, type WriteInput } from './write-input.ts'

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
  /** True if entries of the answer have their own `meta`. */
  readonly meta: OwnMeta
  /** True if the right to the action was checked. */
  readonly isAuthorized: boolean
  /** The query of the answer, if the transport has prepared it. */
  readonly answer: PreparedAnswer | undefined
}

/** A write that has begun, and the prepared query of its answer. */
export interface OpenedWrite {
  readonly write: OpenWrite
  readonly prepared: PreparedQuery
}

/** A creation or update that is ready for its transaction. */
export type OpenChange = OpenedWrite & WriteInput

/** A write whose right and query were checked. */
interface CheckedWrite {
  readonly request: WriteRequest
  readonly type: ContentType
  /** The action whose right the write needs. */
  readonly right: WriteAction
  readonly prepared: PreparedQuery
  /** The query that the entry must fulfil; null if no rule restricts the caller. */
  readonly target: PreparedQuery | null
}

/** The objects that an opener uses. */
export interface OpenerTools {
  readonly engine: Engine
  readonly hooks: WriteHookTable
  readonly lifecycles: Lifecycles
  readonly entries: EntryLookup
  readonly rules: RuleQueries
  readonly links: LinkRules
}

/** Opens writes. */
export class Opener {
  readonly #engine: Engine
  readonly #hooks: WriteHookTable
  readonly #lifecycles: Lifecycles
  readonly #entries: EntryLookup
  readonly #rules: RuleQueries
  readonly #sources: InputSources
  readonly #convertible: ConvertibleInput
  readonly #writable: WritableInput
  readonly #links: LinkRules

  constructor({ engine, hooks, lifecycles, entries, rules, links }: OpenerTools) {
    this.#engine = engine
    this.#hooks = hooks
    this.#lifecycles = lifecycles
    this.#entries = entries
    this.#rules = rules
    this.#sources = { inputs: new InputParser(engine.registry), entries, registry: engine.registry }
    this.#convertible = new ConvertibleInput(engine.registry)
    this.#writable = new WritableInput(engine.registry)
    this.#links = links
  }

  /** Begins a creation or update, and parses its data, whose faults are in the input. Throws as `open` does. */
  openChange(request: WriteRequest): Maybe<OpenChange> {
    const opened = this.open(request)
    return opened instanceof Promise ? opened.then(one => this.#prepareInput(one)) : this.#prepareInput(opened)
  }

  #prepareInput({ write, prepared }: OpenedWrite): Maybe<OpenChange> {
    const ready =
      write.action === 'create' ? prepareCreation(this.#sources, write) : prepareUpdate(this.#sources, write)
    const join = ({ input, names }: WriteInput) => ({ write, prepared, input, names })
    return ready instanceof Promise ? ready.then(join) : join(ready)
  }

  /**
   * Begins a write. A promise only if rules, lifecycles or hooks take time. Throws ForbiddenError, ValidationError,
   * NotFoundError and errors of hooks.
   */
  open(request: WriteRequest): Maybe<OpenedWrite> {
    const { uid, action, id, context, isAuthorized, answer } = request
    const type = this.#engine.registry.require(uid)
    // The entry of a single type is created by the action `update` (B-1.7), so rules on updates hold for it.
    const right = type.kind === 'singleType' && action === 'create' ? 'update' : action
    if (!isAuthorized) this.#engine.authorize(uid, right, context.access)
    // The query of the answer must be valid before anything is written.
    const isPrepared = answer !== undefined && isAnswerTo(answer, request, context)
    const { prepared } = isPrepared ? answer : prepareAnswer(this.#engine, request, context)
    if (id !== null && !mayExist(this.#engine.database.dialect, id)) throw new NotFoundError()
    const target = action === 'create' ? null : this.#rules.target(uid, action, context)
    // Hooks and lifecycles must not run for an entry that the caller cannot change.
    const checked: CheckedWrite = { request, type, right, prepared, target }
    if (target === null) return this.#begin(checked)
    return this.#rules.requireTarget(target, id!, context).then(() => this.#begin(checked))
  }

  #begin({ request, type, right, prepared, target }: CheckedWrite): Maybe<OpenedWrite> {
    const { uid, action, id, data, params, context } = request
    const result = right === 'delete' ? null : this.#rules.result(uid, right, context)
    // Data that is not an object is refused by the parser; hooks and lifecycles do not run.
    const isEntry = isRecord(data)
    const sent = isEntry ? this.#accepted(type, right, data, context) : { data: data as Data, links: noLinks }
    const own = isEntry ? { ...sent.data } : sent.data
    const hooks = this.#hooks.of(uid, action, context)
    const begin = { type, action, id, data: own, params, context, hooks, target, result, links: sent.links }
    const opened: OpenedWrite = { write: openWrite(begin, sent.data, this.#entries), prepared }
    if (!isEntry) return opened
    if (!this.#lifecycles.hasListeners(uid)) return runHooks(opened)
    return this.#announce(opened.write).then(() => runHooks(opened))
  }

  /**
   * Returns the sent data without what cannot be converted, what callers may not write, and relations that rules take
   * out. Throws DataForbiddenError if what is left changes attributes that rules forbid to write.
   */
  #accepted(type: ContentType, right: WriteAction, data: Data, context: Context): CheckedLinks {
    const sent = this.#convertible.convertible(type, data)
    if (context.access === systemAccess) return { data: sent, links: noLinks }
    const open = this.#writable.strip(type, sent)
    if (right === 'delete') return { data: open, links: noLinks }
    const linked = this.#links.apply(type, right, open, context)
    const forbidden = this.#rules.forbiddenAttributes(type.uid, right, context)
    if (forbidden.size > 0)
      for (const name of Object.keys(linked.data))
        if (forbidden.has(name) && type.attributes.get(name)?.readonly === false)
          throw new DataForbiddenError(`"${name}" must not be sent`)
    return linked
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
function runHooks(opened: OpenedWrite): Maybe<OpenedWrite> {
  const running = opened.write.hooks.preWrite?.(opened.write)
  return isThenable(running) ? Promise.resolve(running).then(() => opened) : opened
}
