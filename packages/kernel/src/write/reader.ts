// How writes look at entries: before a change, after it, and for the answer. Past the rules that hide entries from callers,
// and where writes run.

import type { Context } from '../context.ts'
import { authorize, type Engine, type Prepared } from '../engine.ts'
import { NotFoundError } from '../errors.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Params, ParseOptions } from '../query/parse.ts'
import { type Entry, toEntry } from '../rows.ts'
import { populateParts, toInput } from './copy.ts'
import type { OpenWrite, Write } from './write.ts'

/** Asks for nothing but the scalars. */
const plain: Params = Object.freeze({})

/** A question of an answer, as it was asked before. */
interface Asked {
  readonly action: string
  readonly meta: boolean
  readonly internal: boolean
  /** The rights it was asked with. */
  readonly key: string
  readonly prepared: Prepared
}

/** So many questions are kept per type and parameters: they differ in the rights of who asks. */
const mostRights = 50

/** Looks at entries for writes. */
export class EntryReader {
  readonly #engine: Engine
  readonly #asked = new WeakMap<Params, Map<string, Asked[]>>()

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /** The question of an answer, kept with its parameters: doors hand over the same object for the same text. */
  ask(options: ParseOptions, params: Params, context: Context): Prepared {
    const { uid, action, meta = false, internal = false } = options
    const { key } = context.access
    const known = this.#asked
      .get(params)
      ?.get(uid)
      ?.find(one => one.action === action && one.meta === meta && one.internal === internal && one.key === key)
    if (known !== undefined) return known.prepared
    const prepared = this.#engine.prepare(this.#engine.parse(params, options), context)
    // What its owner may still change cannot be remembered by.
    if (Object.isFrozen(params)) this.#remember(params, uid, { action, meta, internal, key, prepared })
    return prepared
  }

  #remember(params: Params, uid: string, asked: Asked): void {
    const byType = this.#asked.get(params) ?? new Map<string, Asked[]>()
    this.#asked.set(params, byType)
    const list = byType.get(uid)
    if (list === undefined || list.length >= mostRights) byType.set(uid, [asked])
    else list.push(asked)
  }

  /**
   * v4 looks at an entry before it changes it, and lifecycles hear that (B-10.72). Throws NotFoundError where they listen and
   * there is none: of others they must not hear that they are changed.
   */
  async announce(write: OpenWrite): Promise<void> {
    const { type, id, context } = write
    const { lifecycles } = this.#engine
    const events = lifecycles.hearsReads(type.uid) ? await lifecycles.read(type, 'FindOne', {}, id) : null
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
    const rows = await this.#engine.database.readWhereWritten(session =>
      session.all(this.#existsText(write.type), [write.id!]),
    )
    return rows.length > 0
  }

  /** The entry before its change, read where it will be changed. */
  async before(write: OpenWrite, id: number): Promise<Entry | null> {
    return this.#engine.database.readWhereWritten(async session => {
      write.look = await this.#engine.database.fingerprint(session, write.type.table, id, false)
      return this.read(write.type.uid, id, write.context)
    })
  }

  #existsText(type: ContentType): string {
    const { dialect } = this.#engine.database
    return dialect.finish(`SELECT 1 FROM ${dialect.quote(type.table)} WHERE ${dialect.quote('id')} = ?`)
  }
}
