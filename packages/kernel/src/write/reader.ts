// How writes look at entries: before a change, after it, and for the answer. Past the rules that hide entries from callers,
// and where writes run.

import { LRUCache } from 'lru-cache'
import type { Context } from '../context.ts'
import type { Prepared } from '../answer/execution.ts'
import { authorize, type Engine } from '../read/engine.ts'
import { NotFoundError } from '../errors.ts'
import type { Params, ParseOptions } from '../query/parse.ts'
import { type Entry, toEntry } from '../answer/rows.ts'
import type { WriteStatements } from '../sql/writes/statements.ts'
import { weighPrepared } from '../read/weight.ts'
import { populateParts, toInput } from './copy.ts'
import type { Write } from '../hooks/write.ts'
import type { OpenWrite } from './open-write.ts'

/** Asks for nothing but the scalars. */
const plain: Params = Object.freeze({})

/** A question of an answer, as it was asked. */
interface Asked {
  readonly params: Params
  readonly uid: string
  readonly action: string
  readonly meta: boolean
  readonly internal: boolean
  /** The rights it was asked with. */
  readonly key: string
  readonly prepared: Prepared
}

/** So many questions are found without a key: writes of one kind come together. */
const maxRecent = 8

/** Looks at entries for writes. */
export class EntryReader {
  readonly #engine: Engine
  readonly #statements: WriteStatements
  /** Frozen parameters by a number: doors hand over the same object for the same text. */
  readonly #numbers = new WeakMap<Params, number>()
  #lastNumber = 0
  /** Questions of answers, by parameters, type, action and rights. */
  readonly #asked = new LRUCache<string, Prepared>({
    max: 5000,
    maxSize: 32 * 1024 * 1024,
    sizeCalculation: (prepared, key) => weighPrepared(prepared) + 2 * key.length,
  })
  readonly #recent: Asked[] = []
  #nextRecent = 0

  constructor(engine: Engine, statements: WriteStatements) {
    this.#engine = engine
    this.#statements = statements
  }

  /** The question of an answer. It is kept where the parameters are frozen: others may still be changed by their owner. */
  ask(options: ParseOptions, params: Params, context: Context): Prepared {
    const { uid, action, meta = false, internal = false } = options
    const { key } = context.access
    for (const one of this.#recent)
      if (one.params === params && one.uid === uid && one.action === action)
        if (one.meta === meta && one.internal === internal && one.key === key) return one.prepared
    if (!Object.isFrozen(params)) return this.#prepare(options, params, context)
    const text = `${this.#numberOf(params)} ${uid} ${action} ${meta} ${internal} ${key}`
    const prepared = this.#asked.get(text) ?? this.#prepare(options, params, context)
    this.#asked.set(text, prepared)
    this.#recent[this.#nextRecent++ % maxRecent] = { params, uid, action, meta, internal, key, prepared }
    return prepared
  }

  #prepare(options: ParseOptions, params: Params, context: Context): Prepared {
    return this.#engine.prepare(this.#engine.parse(params, options), context)
  }

  #numberOf(params: Params): number {
    const known = this.#numbers.get(params)
    if (known !== undefined) return known
    this.#numbers.set(params, ++this.#lastNumber)
    return this.#lastNumber
  }

  /**
   * v4 looks at an entry before it changes it, and lifecycles hear that (B-10.72). Throws NotFoundError where they listen and
   * there is none: of others they must not hear that they are changed.
   */
  async announce(write: OpenWrite): Promise<void> {
    const { type, id, context } = write
    const { lifecycles } = this.#engine
    const events = lifecycles.hasReadListeners(type.uid) ? await lifecycles.read(type, 'FindOne', {}, id) : null
    if (events === null) {
      if (!(await this.exists(write))) throw new NotFoundError()
      return
    }
    const parsed = this.#engine.parse({}, { uid: type.uid, action: 'update', id, pagination: null })
    const result = await this.#engine.run(this.#engine.prepare(parsed, context), context)
    await events.after(result)
    if (result.rows.rows.length === 0) throw new NotFoundError()
  }

  /** Id of a single type's entry, as the action and its filters see it; null where there is none. */
  async findSingle(uid: string, action: 'update' | 'delete', params: Params, context: Context): Promise<number | null> {
    authorize(uid, action, context.access)
    const { fields, populate, sort, ...others } = params
    const parsed = this.#engine.parse(others, { uid, action, pagination: null })
    const { rows } = await this.#engine.run(this.#engine.prepare(parsed, context), context)
    return rows.rows.length === 0 ? null : (rows.rows[0]![0] as number)
  }

  /** An entry with all scalars, past every read rule; for hooks. */
  async read(uid: string, id: number, context: Context, params: Params = plain): Promise<Entry | null> {
    const asked = this.ask({ uid, action: 'update', id: 0, pagination: null, internal: true }, params, context)
    const { rows } = await this.#engine.run(this.#engine.rebind(asked, id, context), context)
    return rows.rows.length === 0 ? null : toEntry(rows, rows.rows[0]!)
  }

  /** The entry with everything that must be complete: its components, and relations that are required. */
  whole(write: Write): Promise<Entry | null> {
    const populate = populateParts(this.#engine.registry, write.type, one => one.required)
    return this.read(write.type.uid, write.id!, write.context, { populate })
  }

  /** Attributes of an entry as input that makes the same again, past every read rule; null where there is no entry. */
  async copy(
    uid: string,
    id: number,
    names: readonly string[],
    context: Context,
  ): Promise<Record<string, unknown> | null> {
    const { registry } = this.#engine
    const type = registry.require(uid)
    const parts = Object.entries(populateParts(registry, type, () => true))
    const populate = Object.fromEntries(parts.filter(([name]) => names.includes(name)))
    const entry = await this.read(uid, id, context, { populate })
    return entry === null ? null : toInput(registry, type, entry, names)
  }

  /** May an entry have that id? Servers refuse to compare their ids with what these cannot be. */
  mayExist(id: number): boolean {
    const { refuse } = this.#engine.database.dialect
    return Number.isInteger(id) && (refuse === null || refuse('integer', id) === null)
  }

  /** Is there such an entry? */
  async exists(write: OpenWrite): Promise<boolean> {
    if (write.isRead) return (await write.before()) !== null
    const { exists } = this.#statements.rows(write.type)
    const rows = await this.#engine.database.readWhereWritten(session => session.all(exists, [write.id!]))
    return rows.length > 0
  }

  /** The entry before its change, read where it will be changed. */
  async before(write: OpenWrite, id: number): Promise<Entry | null> {
    return this.#engine.database.readWhereWritten(async session => {
      write.rowVersion = await this.#engine.database.rowVersion(session, write.type.table, id, false)
      return this.read(write.type.uid, id, write.context)
    })
  }
}
