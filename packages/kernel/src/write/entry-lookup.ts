// Looks up entries for writes and their hooks: before a change, after it, and to copy it. Conditions that hide entries
// from callers do not apply, no hook of reads runs, and the reads run on the connection of the write.

import { type Context, systemAccess } from '../context.ts'
import { NotFoundError } from '../errors.ts'
import type { Write } from '../hooks/write.ts'
import type { Registry } from '../model/registry.ts'
import type { Params } from '../query/request.ts'
import type { Engine } from '../read/engine.ts'
import { weighPrepared } from '../read/weight.ts'
import type { PreparedQuery } from '../result/execution.ts'
import { type Entry, toEntry } from '../result/rows.ts'
import type { WriteStatements } from '../sql/writes/statements.ts'
import { TextCache } from '../text-cache.ts'
import { populateParts, toInput } from './copy.ts'
import type { OpenWrite } from './open-write.ts'
import type { SingleRequest } from './requests.ts'

/** Looks up entries. */
export class EntryLookup {
  readonly #engine: Engine
  readonly #statements: WriteStatements
  /** Prepared lookups of all scalars, by type and rights. */
  readonly #scalars = new TextCache<PreparedQuery>({
    max: 5000,
    maxSize: 16 * 1024 * 1024,
    sizeCalculation: (prepared, key) => weighPrepared(prepared) + 2 * key.length,
  })

  constructor(engine: Engine, statements: WriteStatements) {
    this.#engine = engine
    this.#statements = statements
  }

  /** Returns the types that entries and their components have. */
  get registry(): Registry {
    return this.#engine.registry
  }

  /** Returns an entry with all scalars, and with what `params` populates; null if there is none. */
  async read(uid: string, id: number, context: Context, params?: Params): Promise<Entry | null> {
    const prepared = params === undefined ? this.#prepareScalars(uid, context) : this.#prepare(uid, params, context)
    const { rows } = await this.#engine.runWithoutHooks(this.#engine.rebind(prepared, id, context), context)
    return rows.rows.length === 0 ? null : toEntry(rows, rows.rows[0]!)
  }

  #prepareScalars(uid: string, context: Context): PreparedQuery {
    const key = `${uid} ${context.access.key}`
    const prepared = this.#scalars.get(key) ?? this.#prepare(uid, {}, context)
    this.#scalars.set(key, prepared)
    return prepared
  }

  #prepare(uid: string, params: Params, context: Context): PreparedQuery {
    const lookup = { uid, action: 'update', stage: 'lookup', id: 0, internal: true, isAuthorized: true } as const
    return this.#engine.prepare({ ...lookup, params }, context)
  }

  /** Returns the entry with all that a check of completeness needs: its components and its required relations. */
  whole(write: Write): Promise<Entry | null> {
    const populate = populateParts(this.registry, write.type, one => one.required)
    return this.read(write.type.uid, write.id!, write.context, { populate })
  }

  /**
   * Returns attributes of an entry as input that copies them, also if plugins hide the entry; null if there is no
   * entry.
   */
  async copy(
    uid: string,
    id: number,
    names: readonly string[],
    context: Context,
  ): Promise<Record<string, unknown> | null> {
    const type = this.registry.require(uid)
    const parts = Object.entries(populateParts(this.registry, type, () => true))
    const populate = Object.fromEntries(parts.filter(([name]) => names.includes(name)))
    const entry = await this.read(uid, id, context, { populate })
    return entry === null ? null : toInput(this.registry, type, entry, names)
  }

  /** Returns whether the entry of the write exists. */
  async exists(write: OpenWrite): Promise<boolean> {
    if (write.isRead) return (await write.before()) !== null
    const { exists } = this.#statements.rows(write.type)
    const rows = await this.#engine.database.readWhereWritten(session => session.all(exists, [write.id!]))
    return rows.length > 0
  }

  /** Returns the entry before the change, read on the connection of the write; records its row version. */
  async before(write: OpenWrite, id: number): Promise<Entry | null> {
    return this.#engine.database.readWhereWritten(async session => {
      write.rowVersion = await this.#engine.database.rowVersion(session, write.type.table, id, false)
      return this.read(write.type.uid, id, write.context)
    })
  }

  /**
   * Runs the lifecycles of the read by which v4 finds an entry before it changes it (B-10.72). Throws NotFoundError if
   * there is no entry: lifecycles of the write must not run then.
   */
  async announce(write: OpenWrite): Promise<void> {
    const { type, id, context } = write
    const { lifecycles } = this.#engine
    const events = lifecycles.hasReadListeners(type.uid) ? await lifecycles.read(type, 'FindOne', {}, id) : null
    if (events === null) {
      if (!(await this.exists(write))) throw new NotFoundError()
      return
    }
    const request = { uid: type.uid, action: 'update', params: {}, id, isAuthorized: true } as const
    const result = await this.#engine.run(this.#engine.prepare(request, context), context)
    await events.after(result)
    if (result.rows.rows.length === 0) throw new NotFoundError()
  }

  /**
   * Returns the id of the entry of a single type that the action and its filters select; null if there is none. Unlike
   * other lookups, the rules of plugins apply.
   */
  async findSingle({ uid, action, params, context, isAuthorized = false }: SingleRequest): Promise<number | null> {
    if (!isAuthorized) this.#engine.authorize(uid, action, context.access)
    const { fields, populate, sort, ...selecting } = params
    const internal = context.access === systemAccess
    const request = { uid, action, params: selecting, stage: 'target', internal, isAuthorized: true } as const
    const { rows } = await this.#engine.run(this.#engine.prepare(request, context), context)
    return rows.rows.length === 0 ? null : (rows.rows[0]![0] as number)
  }
}
