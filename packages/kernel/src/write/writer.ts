// Creates, updates and deletes entries, on one page: opens each write, then commits it. Each write is one transaction;
// everything that needs no lock runs before BEGIN.

import { collides } from '../connection/clash.ts'
import type { Database } from '../connection/database.ts'
import type { Transaction } from '../connection/session.ts'
import { systemAccess } from '../context.ts'
import { NotFoundError, SingleTypeExistsError, StaleRowError, UnavailableError } from '../errors.ts'
import type { HookRegistry } from '../hooks/hooks.ts'
import type { Lifecycles } from '../hooks/lifecycles.ts'
import type { Write, WriteAction } from '../hooks/write.ts'
import { relationOf } from '../model/content-type.ts'
import type { Registry } from '../model/registry.ts'
import type { Params } from '../query/request.ts'
import type { Engine } from '../read/engine.ts'
import { WriteStatements } from '../sql/writes/statements.ts'
import { lastingClash } from './checks.ts'
import { EntryChanges } from './entry-changes.ts'
import { EntryLookup } from './entry-lookup.ts'
import { LinkRules } from './link-rules.ts'
import type { WriteResult } from './open-write.ts'
import { Opener, type WriteRequest } from './opener.ts'
import { OneWriterNumbers, type PlaceNumbers, SharedNumbers } from './place-numbers.ts'
import type { RelationTools, RelationWrite } from './relation-write.ts'
import type { CreateRequest, DeleteRequest, EntrySource, LinkRequest, UpdateRequest } from './requests.ts'
import { RuleQueries } from './rule-queries.ts'
import { type Begun, isStale, type Progress, repeatStale } from './stale.ts'
import { writeRelation } from './tree.ts'
import { findWritable, type WritabilityTools } from './writable-attributes.ts'
import { WriteCommits } from './write-commits.ts'
import { WriteHookTable } from './write-hooks.ts'
import { type LockTools, OneWriterLocks, RowWriteLocks, type WriteLocks } from './write-locks.ts'

/** Writes entries. */
export class Writer {
  readonly #database: Database
  readonly #registry: Registry
  readonly #lifecycles: Lifecycles
  readonly #writeHooks: WriteHookTable
  readonly #lookup: EntryLookup
  readonly #rules: RuleQueries
  readonly #links: LinkRules
  readonly #opener: Opener
  readonly #locks: WriteLocks
  readonly #relations: RelationTools
  readonly #changes: EntryChanges
  readonly #commits: WriteCommits
  /** Reads entries for writes. */
  readonly entries: EntrySource

  constructor(engine: Engine, hooks: HookRegistry, lifecycles: Lifecycles) {
    const { database, registry } = engine
    const statements = new WriteStatements(database.dialect, registry)
    const { locks, numbers } = concurrencyOf({ database, registry, statements })
    const relations = { statements, registry, numbers, locks }
    const rules = new RuleQueries(engine)
    const links = new LinkRules(engine, rules)
    this.#database = database
    this.#registry = registry
    this.#lifecycles = lifecycles
    this.#relations = relations
    this.#rules = rules
    this.#links = links
    this.#locks = locks
    this.#lookup = new EntryLookup(engine, statements)
    this.#writeHooks = new WriteHookTable(engine, hooks)
    this.#opener = new Opener({ engine, hooks: this.#writeHooks, lifecycles, entries: this.#lookup, rules, links })
    this.#changes = new EntryChanges({ registry, relations, locks, links, rules })
    this.#commits = new WriteCommits({ engine, hooks, lifecycles, rules, changes: this.#changes })
    this.entries = entrySource(this.#lookup, { registry, rules, links })
  }

  /** Creates an entry. Throws ValidationError, ApplicationError, ForbiddenError. */
  async create(request: CreateRequest): Promise<WriteResult> {
    const opening = openingOf('create', null, request)
    const progress: Progress = { change: null }
    try {
      return await this.#attempt(progress, opening)
    } catch (error) {
      if (!isStale(error, progress)) throw lastingClash(error, progress.change?.input ?? null)
      return this.#repeat(progress, () => this.#attempt(progress, opening))
    }
  }

  /** Changes an entry; attributes that were not sent stay. Throws NotFoundError if there is none. */
  async update(request: UpdateRequest): Promise<WriteResult> {
    const { uid, id, context } = request
    const opening = openingOf('update', id, request)
    const progress: Progress = { change: null }
    const attempt = () => this.#attempt(progress, opening)
    // If a hook or lifecycle reads the entry before the change, it must still be unchanged at the change.
    const { preWrite } = this.#writeHooks.of(uid, 'update', context)
    const mayReadFirst = preWrite !== null || this.#lifecycles.hasListeners(uid)
    try {
      return await (mayReadFirst ? this.#database.withPinnedWriter(attempt) : attempt())
    } catch (error) {
      if (!isStale(error, progress)) throw lastingClash(error, progress.change?.input ?? null)
      return this.#database.withPinnedWriter(() => this.#repeat(progress, attempt))
    }
  }

  /** Throws StaleRowError if the entry, or on SQLite the database, was changed after hooks read the entry. */
  async #attempt(progress: Progress, request: WriteRequest): Promise<WriteResult> {
    const opened = this.#opener.openChange(request)
    const change = opened instanceof Promise ? await opened : opened
    progress.change = change
    return await this.#commits.commit(change)
  }

  #repeat(begun: Begun, attempt: () => Promise<WriteResult>): Promise<WriteResult> {
    return repeatStale({ database: this.#database, locks: this.#locks }, begun, attempt)
  }

  /** Changes the entry of a single type, or creates it (B-4.90). Of several concurrent calls, only one creates it. */
  async put(request: CreateRequest): Promise<WriteResult> {
    const { uid, context, isAuthorized = false } = request
    const params = paramsOf(request)
    for (let attempt = 1; ; attempt++) {
      const id = await this.#lookup.findSingle({ uid, action: 'update', params, context, isAuthorized })
      if (id === null) await this.#requireNoHidden(request)
      try {
        if (id !== null) return await this.update({ ...request, id })
        return await this.create(request)
      } catch (error) {
        const hasMet = id === null ? error instanceof SingleTypeExistsError : error instanceof NotFoundError
        // An entry may exist that the filters exclude, so the number of attempts is limited.
        if (!hasMet || attempt === 10) throw error
      }
    }
  }

  /** Throws NotFoundError if there is an entry of a single type that a rule hides from the caller. */
  async #requireNoHidden(request: CreateRequest): Promise<void> {
    const { uid, context } = request
    if (this.#rules.target(uid, 'update', context) === null) return
    const all = { ...context, access: systemAccess }
    const hidden = { uid, action: 'update', params: paramsOf(request), context: all } as const
    if ((await this.#lookup.findSingle(hidden)) !== null) throw new NotFoundError()
  }

  /** Deletes an entry and returns it as it was. Throws NotFoundError if there is none. */
  async delete(request: DeleteRequest): Promise<WriteResult> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#remove(request)
      } catch (error) {
        // A hook has found that the row is not as another hook had read it.
        if (!(error instanceof StaleRowError)) throw error
        if (attempt === maxRemovals)
          throw new UnavailableError('The entry is changed too often by other writes', { cause: error })
      }
    }
  }

  async #remove(request: DeleteRequest): Promise<WriteResult> {
    const { uid, context } = request
    const { write, prepared } = await this.#opener.open(openingOf('delete', request.id, { ...request, data: {} }))
    const id = write.id!
    const work = async (tx: Transaction) => {
      write.tx = tx
      await this.#locks.lockForRemoval(tx, write.type, id)
      if (write.target !== null) await this.#rules.requireTarget(write.target, id, context)
      await write.hooks.onLock?.(write)
      const result = await this.#commits.read(prepared, id, context)
      await write.before()
      await this.#changes.remove(tx, uid, id)
      await write.hooks.onWrite?.(write)
      return this.#commits.complete(write, result, this.#lifecycles.hasListeners(uid))
    }
    return this.#database.transaction(work, { turn: { table: write.type.table, id } })
  }

  /** Links, inside a write, more entries of its type to the entry `id`, and changes nothing else of them. */
  async link(write: Write, id: number, name: string, ids: readonly number[]): Promise<void> {
    const { type } = write
    const attribute = relationOf(type, name)
    const connect = ids.map(one => ({ ref: { id: one, type: null }, position: 'end' as const }))
    const tx = write.tx!
    const relations: RelationWrite = { tx, tools: this.#relations, lastPlaces: null }
    await collides(async () => {
      const change = { kind: 'patch', connect, disconnect: [], strict: true } as const
      await writeRelation(relations, { type, id, isNew: false }, { attribute, change })
      await tx.flush()
    })
  }

  /** Returns whether the rules of plugins let the caller link an entry by a relation of a new entry. */
  async mayLink({ uid, name, ...linkable }: LinkRequest): Promise<boolean> {
    const type = this.#registry.require(uid)
    return this.#links.mayLink(type, relationOf(type, name), linkable)
  }
}

/** The maximum number of times that the hooks of a deletion may find a row changed. */
const maxRemovals = 10

/** Returns the arguments of a write, with their defaults. */
function openingOf(action: WriteAction, id: number | null, request: CreateRequest): WriteRequest {
  const { uid, data, context, answer, meta = answer?.meta ?? false, isAuthorized = false } = request
  return { uid, action, id, data, params: paramsOf(request), context, meta, isAuthorized, answer }
}

/** Returns the parameters of the answer. */
function paramsOf({ params, answer }: CreateRequest): Params {
  return params ?? answer?.params ?? noParams
}

const noParams: Params = Object.freeze({})

/** Returns the reads that the writer offers to hooks and transports. */
function entrySource(lookup: EntryLookup, tools: WritabilityTools): EntrySource {
  const { rules } = tools
  return {
    read: (uid, id, context, params) => lookup.read(uid, id, context, params),
    copy: (uid, id, names, context) => lookup.copy(uid, id, names, context),
    findSingle: request => lookup.findSingle(request),
    mayChange: (uid, id, context) => rules.mayChange(uid, id, context),
    mayStore: (uid, id, context) => rules.mayStore(uid, id, context),
    forbiddenAttributes: (uid, action, context) => rules.forbiddenAttributes(uid, action, context),
    writableAttributes: request => findWritable(tools, request),
  }
}

/**
 * Returns what a write needs because of other writers: locks of rows and numbers of links, or hardly anything if the
 * database has one writer at a time. The only place that asks which of both it is.
 */
function concurrencyOf(tools: LockTools): { readonly locks: WriteLocks; readonly numbers: PlaceNumbers } {
  const { database } = tools
  if (database.dialect.rowLocks === null)
    return { locks: new OneWriterLocks(database), numbers: new OneWriterNumbers() }
  return { locks: new RowWriteLocks(tools), numbers: new SharedNumbers(() => database.assignsWholePlaces) }
}
