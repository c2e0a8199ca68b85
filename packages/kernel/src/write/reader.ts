// Reads entries for writes: before a change, after it, and for the answer. Conditions that hide entries from callers do
// not apply, and the reads run on the connection of the write.

import { LRUCache } from '#lru-cache'
import { type Context, systemAccess } from '../context.ts'
import type { Prepared } from '../answer/execution.ts'
import type { Engine } from '../read/engine.ts'
import { ForbiddenError, NotFoundError } from '../errors.ts'
import type { Params, ParseOptions } from '../query/parse.ts'
import type { Registry } from '../model/registry.ts'
import type { OwnMeta, Stage } from '../query/query.ts'
import { type Entry, toEntry } from '../answer/rows.ts'
import type { WriteStatements } from '../sql/writes/statements.ts'
import { weighPrepared } from '../read/weight.ts'
import { populateParts, toInput } from './copy.ts'
import type { Write } from '../hooks/write.ts'
import type { OpenWrite } from './open-write.ts'
import type { SingleRequest } from './requests.ts'
import { RuleQueries } from './rule-queries.ts'

/** Parameters that select only the scalars. */
const plain: Params = Object.freeze({})

/** The prepared query of an answer, and what it was prepared for. */
interface PreparedAnswer {
  readonly params: Params
  readonly uid: string
  readonly action: string
  readonly stage: Stage
  readonly meta: OwnMeta
  readonly internal: boolean
  /** The key of the rights. */
  readonly key: string
  readonly prepared: Prepared
}

/** The number of queries that are found without building a key, because similar writes often follow each other. */
const maxRecent = 8

/** Reads entries for writes. */
export class EntryReader {
  readonly #engine: Engine
  readonly #statements: WriteStatements
  /** The numbers of frozen parameters: transports pass the same object for the same text. */
  readonly #numbers = new WeakMap<Params, number>()
  #lastNumber = 0
  /** Prepared queries of answers, by parameters, type, action and rights. */
  readonly #prepared = new LRUCache<string, Prepared>({
    max: 5000,
    maxSize: 32 * 1024 * 1024,
    sizeCalculation: (prepared, key) => weighPrepared(prepared) + 2 * key.length,
  })
  readonly #ruleQueries: RuleQueries
  readonly #recent: PreparedAnswer[] = []
  #nextRecent = 0

  constructor(engine: Engine, statements: WriteStatements) {
    this.#engine = engine
    this.#statements = statements
    this.#ruleQueries = new RuleQueries(engine)
  }

  /** The types that entries and their components have. */
  get registry(): Registry {
    return this.#engine.registry
  }

  /** The prepared query of an answer. It is cached if the parameters are frozen; others may still be changed. */
  prepareAnswer(options: ParseOptions, params: Params, context: Context): Prepared {
    const { uid, action, stage = 'answer', meta = false, internal = false } = options
    const { key } = context.access
    for (const one of this.#recent)
      if (one.params === params && one.uid === uid && one.action === action && one.stage === stage)
        if (one.meta === meta && one.internal === internal && one.key === key) return one.prepared
    if (!Object.isFrozen(params)) return this.#prepare(options, params, context)
    const text = `${this.#numberOf(params)} ${uid} ${action} ${stage} ${meta} ${internal} ${key}`
    const prepared = this.#prepared.get(text) ?? this.#prepare(options, params, context)
    this.#prepared.set(text, prepared)
    this.#recent[this.#nextRecent++ % maxRecent] = { params, uid, action, stage, meta, internal, key, prepared }
    return prepared
  }

  /**
   * The target query of an update or deletion: finds the entry if the rules of plugins let the caller change it. Null if
   * there is no rule, so that most writes run no statement for it.
   */
  target(uid: string, action: 'update' | 'delete', context: Context): Prepared | null {
    return this.#ruleQueries.find('target', uid, action, context)
  }

  /**
   * The result query of a creation or update: finds the entry, once it is written, if the rules of plugins let the caller
   * store it like that. `action` is the one whose right the write needs. Null if there is no rule.
   */
  result(uid: string, action: 'create' | 'update', context: Context): Prepared | null {
    return this.#ruleQueries.find('result', uid, action, context)
  }

  /** Throws NotFoundError if a rule hides the entry from the caller, or if there is none. */
  async requireTarget(target: Prepared, id: number, context: Context): Promise<void> {
    if (!(await this.#isFound(target, id, context))) throw new NotFoundError()
  }

  /** Throws ForbiddenError if a rule hides what was written from the caller. */
  async requireResult(result: Prepared, id: number, context: Context): Promise<void> {
    if (!(await this.#isFound(result, id, context))) throw new ForbiddenError()
  }

  /** Whether rules let the caller change the entry. */
  async mayChange(uid: string, id: number, context: Context): Promise<boolean> {
    const target = this.target(uid, 'update', context)
    return target === null || (this.mayExist(id) && this.#isFound(target, id, context))
  }

  /** Hooks of reads do not run, because a cache would answer with an earlier result. */
  async #isFound(query: Prepared, id: number, context: Context): Promise<boolean> {
    const { rows } = await this.#engine.runWithoutHooks(this.#engine.rebind(query, id, context), context)
    return rows.rows.length > 0
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
    const parsed = this.#engine.parse({}, { uid: type.uid, action: 'update', id, pagination: null })
    const result = await this.#engine.run(this.#engine.prepare(parsed, context), context)
    await events.after(result)
    if (result.rows.rows.length === 0) throw new NotFoundError()
  }

  /** The id of the entry of a single type that the action and its filters select; null if there is none. */
  async findSingle({ uid, action, params, context, isAuthorized = false }: SingleRequest): Promise<number | null> {
    if (!isAuthorized) this.#engine.authorize(uid, action, context.access)
    const { fields, populate, sort, ...others } = params
    const internal = context.access === systemAccess
    const parsed = this.#engine.parse(others, { uid, action, stage: 'target', pagination: null, internal })
    const { rows } = await this.#engine.run(this.#engine.prepare(parsed, context), context)
    return rows.rows.length === 0 ? null : (rows.rows[0]![0] as number)
  }

  /** An entry with all scalars, also if plugins hide it from callers. No hook of reads runs for it. */
  async read(uid: string, id: number, context: Context, params: Params = plain): Promise<Entry | null> {
    const prepared = this.prepareAnswer(
      { uid, action: 'update', stage: 'lookup', id: 0, pagination: null, internal: true },
      params,
      context,
    )
    const { rows } = await this.#engine.runWithoutHooks(this.#engine.rebind(prepared, id, context), context)
    return rows.rows.length === 0 ? null : toEntry(rows, rows.rows[0]!)
  }

  /** The entry with all that a check of completeness needs: its components and its required relations. */
  whole(write: Write): Promise<Entry | null> {
    const populate = populateParts(this.#engine.registry, write.type, one => one.required)
    return this.read(write.type.uid, write.id!, write.context, { populate })
  }

  /** Attributes of an entry as input that copies them, also if plugins hide the entry; null if there is no entry. */
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

  /** Whether an entry can have that id. Servers refuse to compare ids with values out of their range. */
  mayExist(id: number): boolean {
    const { refuse } = this.#engine.database.dialect
    return Number.isInteger(id) && (refuse === null || refuse('integer', id) === null)
  }

  /** Whether the entry of the write exists. */
  async exists(write: OpenWrite): Promise<boolean> {
    if (write.isRead) return (await write.before()) !== null
    const { exists } = this.#statements.rows(write.type)
    const rows = await this.#engine.database.readWhereWritten(session => session.all(exists, [write.id!]))
    return rows.length > 0
  }

  /** The entry before the change, read on the connection of the write; records its row version. */
  async before(write: OpenWrite, id: number): Promise<Entry | null> {
    return this.#engine.database.readWhereWritten(async session => {
      write.rowVersion = await this.#engine.database.rowVersion(session, write.type.table, id, false)
      return this.read(write.type.uid, id, write.context)
    })
  }
}
