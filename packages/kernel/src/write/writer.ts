// Create, update, delete: the order of hooks, checks and SQL, on one page. One transaction each, in callback form; hashing
// and checks that need no lock run before BEGIN.

import { type Context, systemAccess } from '../context.ts'
import type { Database } from '../database/database.ts'
import type { Transaction } from '../database/session.ts'
import type { Engine, Prepared } from '../engine.ts'
import { authorize } from '../engine.ts'
import { type FieldError, NotFoundError, UnavailableError, ValidationError } from '../errors.ts'
import type { HookRegistry } from '../hooks.ts'
import type { Lifecycles } from '../lifecycles.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Registry } from '../model/registry.ts'
import type { Params, ParseOptions } from '../query/parse.ts'
import { type Entry, toEntry } from '../rows.ts'
import { TreeWriter } from './components.ts'
import { InputParser } from './input.ts'
import { countMissing } from './links.ts'
import type { Input, InputEntry } from './parse.ts'
import { RowWriter } from './rows.ts'
import { type OpenWrite, openWrite, type Write, type WriteAction, type WriteResult } from './write.ts'

/** Writes entries. */
export class Writer {
  readonly #engine: Engine
  readonly #database: Database
  readonly #registry: Registry
  readonly #hooks: HookRegistry
  readonly #lifecycles: Lifecycles
  readonly #inputs: InputParser
  readonly #rows: RowWriter
  readonly #trees: TreeWriter
  readonly #asked = new WeakMap<Params, Map<string, Prepared>>()

  constructor(engine: Engine, hooks: HookRegistry, lifecycles: Lifecycles) {
    this.#engine = engine
    this.#database = engine.database
    this.#registry = engine.registry
    this.#hooks = hooks
    this.#lifecycles = lifecycles
    this.#inputs = new InputParser(engine.registry)
    this.#rows = new RowWriter(engine.database.dialect)
    this.#trees = new TreeWriter(engine.database.dialect, engine.registry, this.#rows)
  }

  /** Creates an entry. Throws ValidationError, ApplicationError, ForbiddenError. */
  async create(uid: string, data: unknown, params: Params, context: Context, meta = false): Promise<WriteResult> {
    const { write, asked } = await this.#open(uid, 'create', null, data, params, context, meta)
    const input = this.#inputs.parse(write.type, write.data, { isCreate: true, requirement: write.require, id: null })
    await prepareScalars(input.entry)
    return this.#commit(write, asked, async tx => {
      if (write.alone && (await this.#rows.isFilled(tx, write.type)))
        throw new ValidationError('singleType.alreadyExists')
      await this.#check(tx, input)
      stamp(input.entry, 'createdAt', write.now)
      stamp(input.entry, 'updatedAt', write.now)
      const id = await this.#insert(tx, input)
      write.id = id
      await this.#trees.below(tx, input.entry, id, true)
      return id
    })
  }

  /** Changes an entry; attributes not sent stay. Throws NotFoundError where there is none. */
  async update(
    uid: string,
    id: number,
    data: unknown,
    params: Params,
    context: Context,
    meta = false,
  ): Promise<WriteResult> {
    // Whoever looks at the entry before the change must find it unchanged at the change.
    return this.#database.hold(async () => {
      for (let attempt = 1; attempt <= 5; attempt++) {
        const result = await this.#tryUpdate(uid, id, data, params, context, meta)
        if (result !== null) return result
      }
      throw new UnavailableError('The entry is changed all the time')
    })
  }

  /** Null where another process changed the database after the entry was looked at. */
  async #tryUpdate(
    uid: string,
    id: number,
    data: unknown,
    params: Params,
    context: Context,
    meta: boolean,
  ): Promise<WriteResult | null> {
    const { write, asked } = await this.#open(uid, 'update', id, data, params, context, meta)
    // v4 looks for the entry before it judges the data.
    if (!(await this.#exists(write))) throw new NotFoundError()
    const stored = write.require === 'all' ? await this.#whole(write) : null
    const options = { isCreate: false, requirement: write.require, id, stored }
    const input = this.#inputs.parse(write.type, write.data, options)
    await prepareScalars(input.entry)
    const work = async (tx: Transaction) => {
      if (write.version !== null && (await this.#database.versionOf(tx)) !== write.version) throw new StaleLook()
      await this.#check(tx, input)
      stamp(input.entry, 'updatedAt', write.now)
      const isThere = await this.#guardUnique(input, () => this.#rows.update(tx, input.entry, id))
      if (!isThere) throw new NotFoundError()
      await this.#trees.below(tx, input.entry, id, false)
      return id
    }
    try {
      return await this.#commit(write, asked, work)
    } catch (error) {
      if (error instanceof StaleLook) return null
      throw error
    }
  }

  /** Deletes an entry and answers it as it was. Throws NotFoundError where there is none. */
  async delete(uid: string, id: number, params: Params, context: Context, meta = false): Promise<WriteResult> {
    const { write, asked } = await this.#open(uid, 'delete', id, {}, params, context, meta)
    return this.#database.transaction(async tx => {
      write.tx = tx
      const result = await this.#answer(asked, id, context)
      if (result.rows.rows.length === 0) throw new NotFoundError()
      await write.before()
      await this.#trees.remove(tx, uid, [id])
      await this.#hooks.compiled.onWrite?.for(uid, 'delete')?.(write)
      return this.#finish(write, result)
    })
  }

  async #open(
    uid: string,
    action: WriteAction,
    id: number | null,
    data: unknown,
    params: Params,
    context: Context,
    meta: boolean,
  ): Promise<{ write: OpenWrite; asked: Prepared }> {
    const type = this.#registry.require(uid)
    // A single type is made by the action that changes it (B-1.7).
    authorize(uid, type.kind === 'singleType' && action === 'create' ? 'update' : action, context.access)
    // What the answer is asked for must be sound before anything is written.
    const internal = context.access === systemAccess
    const asked = this.#ask({ uid, action, id: 0, pagination: null, meta, internal }, params, context)
    const isObject = data !== null && typeof data === 'object' && !Array.isArray(data)
    const own = isObject ? { ...(data as Record<string, unknown>) } : (data as Record<string, unknown>)
    const write: OpenWrite = openWrite(
      { type, action, id, data: own, params, context },
      {
        before: () => this.#readBefore(write, id!),
        after: now => this.readEntry(uid, now, context),
      },
    )
    if (!isObject) return { write, asked }
    if (action !== 'create') await this.#announce(write)
    await this.#lifecycles.before(write)
    await this.#hooks.compiled.preWrite?.for(uid, action)?.(write)
    return { write, asked }
  }

  /** The question of an answer, kept with its parameters: doors hand over the same object for the same text. */
  #ask(options: ParseOptions, params: Params, context: Context): Prepared {
    const key = `${context.access.key} ${options.uid} ${options.action}${options.meta === true}${options.internal === true}`
    const known = this.#asked.get(params)?.get(key)
    if (known !== undefined) return known
    const prepared = this.#engine.prepare(this.#engine.parse(params, options), context)
    // What its owner may still change cannot be remembered by.
    if (Object.isFrozen(params)) this.#asked.set(params, (this.#asked.get(params) ?? new Map()).set(key, prepared))
    return prepared
  }

  /** v4 looks at an entry before it changes it, and lifecycles hear that (B-10.72). */
  async #announce(write: OpenWrite): Promise<void> {
    const { type, id, context } = write
    if (!this.#lifecycles.hearsReads(type.uid)) return
    const events = await this.#lifecycles.read(type, 'FindOne', {}, id)
    if (events === null) return
    const parsed = this.#engine.parse({}, { uid: type.uid, action: 'update', id, pagination: null })
    await events.after(await this.#engine.run(this.#engine.prepare(parsed, context), context))
  }

  /** Id of a single type's entry, as the action sees it; null where there is none. */
  async findSingle(uid: string, action: 'update' | 'delete', params: Params, context: Context): Promise<number | null> {
    authorize(uid, action, context.access)
    const { fields, populate, filters, sort, ...others } = params
    const parsed = this.#engine.parse(others, { uid, action, pagination: null })
    const { rows } = await this.#engine.run(this.#engine.prepare(parsed, context), context)
    return rows.rows.length === 0 ? null : (rows.rows[0]![0] as number)
  }

  /** An entry with all scalars, past every read rule; for hooks. */
  async readEntry(uid: string, id: number, context: Context, params: Params = plain): Promise<Entry | null> {
    const asked = this.#ask({ uid, action: 'update', id: 0, pagination: null, internal: true }, params, context)
    const { rows } = await this.#engine.run(this.#engine.rebind(asked, id, context), context)
    return rows.rows.length === 0 ? null : toEntry(rows, rows.rows[0]!)
  }

  /** The entry with everything that must be complete: its components, and relations that are required. */
  #whole(write: Write): Promise<Entry | null> {
    const populate = this.#judged(write.type)
    return this.readEntry(write.type.uid, write.id!, write.context, { populate })
  }

  #judged(type: ContentType, depth = 0): Record<string, unknown> {
    const populate: Record<string, unknown> = {}
    // A component may hold itself; deeper than this nobody nests.
    if (depth > 8) return populate
    const below = (uid: string) => ({ populate: this.#judged(this.#registry.require(uid), depth + 1) })
    for (const one of type.attributes.values()) {
      if (one.kind === 'component') populate[one.name] = below(one.component)
      else if (one.kind === 'zone')
        populate[one.name] = { on: Object.fromEntries(one.components.map(uid => [uid, below(uid)])) }
      else if (one.kind === 'relation' && one.required) populate[one.name] = { fields: ['id'] }
    }
    return populate
  }

  async #commit(write: OpenWrite, asked: Prepared, work: (tx: Transaction) => Promise<number>): Promise<WriteResult> {
    return this.#database.transaction(async tx => {
      write.tx = tx
      const id = await work(tx)
      await this.#hooks.compiled.onWrite?.for(write.type.uid, write.action)?.(write)
      return this.#finish(write, await this.#answer(asked, id, write.context))
    })
  }

  async #finish(write: OpenWrite, result: WriteResult): Promise<WriteResult> {
    const entries = await this.#lifecycles.after(write, result)
    const { onCommit } = this.#hooks.compiled
    if (onCommit !== null) write.tx!.afterCommit<Write>(onCommit, write)
    return entries === null ? result : { ...result, entries }
  }

  /** Reads the answer inside the transaction. */
  async #answer(asked: Prepared, id: number, context: Context): Promise<WriteResult> {
    const prepared = this.#engine.rebind(asked, id, context)
    const { uid } = prepared.parsed.query
    const events = this.#lifecycles.hearsReads(uid)
      ? await this.#lifecycles.read(this.#registry.require(uid), 'FindOne', {}, id)
      : null
    const result = await this.#engine.run(prepared, context)
    return { ...(events === null ? result : await events.after(result)), prepared }
  }

  /** Uniqueness and linked entries, then all faults at once in schema order. */
  async #check(tx: Transaction, input: Input): Promise<void> {
    const faults = [...input.faults]
    for (const { place, path, type, attribute, value, id } of input.uniques) {
      const own = type === input.entry.type && path.length === 1 ? input.entry.id : id
      if (await this.#rows.isTaken(tx, attribute, type, value, own)) faults.push({ place, error: notUnique(path) })
    }
    const general = [...input.general]
    for (const [uid, ids] of input.refs) {
      const missing = await countMissing(tx, this.#database.dialect, this.#registry.require(uid), ids)
      if (missing > 0) general.push(`${missing} relation(s) of type ${uid} associated with this entity do not exist`)
    }
    if (faults.length === 0 && general.length === 0) return
    faults.sort((a, b) => a.place - b.place)
    const whole = general.map((message): FieldError => ({ path: [], message, name: 'ValidationError' }))
    throw ValidationError.ofFields([...faults.map(one => one.error), ...whole])
  }

  async #insert(tx: Transaction, input: Input): Promise<number> {
    return this.#guardUnique(input, () => this.#rows.insert(tx, input.entry))
  }

  /** The index has the last word where another process wrote the same value meanwhile. */
  async #guardUnique<T>(input: Input, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!/^SQLITE_CONSTRAINT_UNIQUE$|^ER_DUP_ENTRY$|^23505$/.test(String((error as { code?: string }).code)))
        throw error
      const clash = input.uniques.filter(one => String((error as Error).message).includes(one.attribute.column))
      throw ValidationError.ofFields(clash.length > 0 ? [notUnique(clash[0]!.path)] : [notUnique([])])
    }
  }

  async #exists(write: OpenWrite): Promise<boolean> {
    if (write.isRead) return (await write.before()) !== null
    const rows = await this.#database.readWhereWritten(session =>
      session.all(this.#existsText(write.type), [write.id!]),
    )
    return rows.length > 0
  }

  async #readBefore(write: OpenWrite, id: number): Promise<Entry | null> {
    return this.#database.readWhereWritten(async session => {
      write.version = await this.#database.versionOf(session)
      return this.readEntry(write.type.uid, id, write.context)
    })
  }

  #existsText(type: ContentType): string {
    const { dialect } = this.#database
    return dialect.finish(`SELECT 1 FROM ${dialect.quote(type.table)} WHERE ${dialect.quote('id')} = ?`)
  }
}

/** What was looked at is not what is changed. */
class StaleLook extends Error {}

/** Asks for nothing but the scalars. */
const plain: Params = Object.freeze({})

function notUnique(path: readonly string[]): FieldError {
  return { path, message: 'This attribute must be unique', name: 'ValidationError' }
}

function stamp(entry: InputEntry, name: string, now: string): void {
  const attribute = entry.type.attributes.get(name)
  if (attribute?.kind === 'scalar') entry.scalars.set(attribute, Date.parse(now))
}

/** Values that take time to make, such as hashes; before the transaction. */
async function prepareScalars(entry: InputEntry): Promise<void> {
  for (const [attribute, value] of entry.scalars) {
    const { prepare } = attribute.scalar
    if (prepare === undefined || value === null || value === undefined) continue
    entry.scalars.set(attribute, await prepare(value, attribute.definition))
  }
  for (const { items } of entry.components) for (const item of items) await prepareScalars(item)
}
