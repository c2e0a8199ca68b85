// Creates, updates and deletes entries: the order of checks, locks and statements, on one page. Each write is one transaction;
// hashing and checks that need no lock run before BEGIN.

import { systemAccess } from '../context.ts'
import type { Database } from '../database/database.ts'
import { collides } from '../database/clash.ts'
import type { Transaction } from '../database/session.ts'
import type { Engine } from '../read/engine.ts'
import { NotFoundError, SingleTypeExistsError } from '../errors.ts'
import type { HookRegistry } from '../hooks/hooks.ts'
import type { Lifecycles } from '../hooks/lifecycles.ts'
import { relationOf } from '../model/content-type.ts'
import type { Registry } from '../model/registry.ts'
import { WriteStatements } from '../sql/writes/statements.ts'
import { Checks, lastingClash, uniqueFault } from './checks.ts'
import { TreeWriter } from './components.ts'
import { InputParser } from './input.ts'
import { Inserter } from './inserter.ts'
import { LastPlaces } from './last-places.ts'
import { type HiddenIds, LinkRules } from './link-rules.ts'
import { Opener, type WriteRequest } from './opener.ts'
import type { Input } from './parse.ts'
import { EntryReader } from './reader.ts'
import { ReferenceCheck } from './reference-check.ts'
import type { CreateRequest, DeleteRequest, LinkRequest, UpdateRequest } from './requests.ts'
import type { RelationTools, RelationWrite } from './relation-write.ts'
import { writeRelation } from './relations.ts'
import { RowWriter } from './rows.ts'
import { type Begun, isStale, repeatStale, type StaleWrite } from './stale.ts'
import { prepareCreation, prepareUpdate } from './write-input.ts'
import { noNames } from './value-locks.ts'
import { PlaceNumbers } from './place-numbers.ts'
import type { Write } from '../hooks/write.ts'
import { isRestricted, type WriteResult, type Written } from './open-write.ts'
import { UniqueValues } from './unique-values.ts'
import { WriteCommits } from './write-commits.ts'
import { WriteHookTable } from './write-hooks.ts'
import { WriteLocks } from './write-locks.ts'

/** Writes entries. */
export class Writer {
  readonly #database: Database
  readonly #registry: Registry
  readonly #writeHooks: WriteHookTable
  readonly #lifecycles: Lifecycles
  readonly #opener: Opener
  readonly #links: LinkRules
  readonly #sources: { readonly inputs: InputParser; readonly entries: EntryReader }
  readonly #rows: RowWriter
  readonly #trees: TreeWriter
  readonly #checks: Checks
  readonly #inserter: Inserter
  readonly #locks: WriteLocks
  readonly #commits: WriteCommits
  readonly #statements: WriteStatements
  readonly #tools: RelationTools
  /** Reads entries for writes. */
  readonly entries: EntryReader

  constructor(engine: Engine, hooks: HookRegistry, lifecycles: Lifecycles) {
    this.#database = engine.database
    this.#registry = engine.registry
    this.#lifecycles = lifecycles
    const { dialect } = engine.database
    const statements = new WriteStatements(dialect, engine.registry)
    const numbers = new PlaceNumbers(() => this.#database.isNumberer)
    this.#statements = statements
    this.#tools = { statements, registry: engine.registry, numbers }
    this.entries = new EntryReader(engine, statements)
    this.#links = new LinkRules(engine, this.entries)
    this.#writeHooks = new WriteHookTable(engine, hooks)
    this.#opener = new Opener(engine, this.#writeHooks, lifecycles, { entries: this.entries, links: this.#links })
    this.#sources = { inputs: new InputParser(engine.registry), entries: this.entries }
    this.#rows = new RowWriter(statements)
    const values = new UniqueValues({ registry: engine.registry, statements, rows: this.#rows })
    this.#checks = new Checks(dialect, values)
    this.#inserter = new Inserter(this.#rows, this.#checks, dialect.insertRowIf !== null)
    this.#locks = new WriteLocks(engine.database, engine.registry, statements)
    this.#commits = new WriteCommits({ engine, hooks, lifecycles, entries: this.entries })
    this.#trees = new TreeWriter(engine.registry, statements, this.#rows)
  }

  /** Creates an entry. Throws ValidationError, ApplicationError, ForbiddenError. */
  async create({
    uid,
    data,
    params,
    context,
    meta = false,
    isAuthorized = false,
  }: CreateRequest): Promise<WriteResult> {
    const request: WriteRequest = { uid, action: 'create', id: null, data, params, context, meta, isAuthorized }
    const begun: Begun = { write: null, names: noNames, input: null }
    try {
      return await this.#tryCreate(begun, request)
    } catch (error) {
      if (!isStale(error, begun)) throw lastingClash(error, begun.input)
      return this.#repeat(begun, () => this.#tryCreate(begun, request))
    }
  }

  #repeat(begun: StaleWrite, attempt: () => Promise<WriteResult>): Promise<WriteResult> {
    return repeatStale({ database: this.#database, locks: this.#locks }, begun, attempt)
  }

  /** Changes the entry of a single type, or creates it (B-4.90). Of several concurrent calls, only one creates it. */
  async put(request: CreateRequest): Promise<WriteResult> {
    const { uid, params, context, isAuthorized = false } = request
    for (let attempt = 1; ; attempt++) {
      const id = await this.entries.findSingle({ uid, action: 'update', params, context, isAuthorized })
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
  async #requireNoHidden({ uid, params, context }: CreateRequest): Promise<void> {
    if (this.entries.target(uid, 'update', context) === null) return
    const all = { ...context, access: systemAccess }
    if ((await this.entries.findSingle({ uid, action: 'update', params, context: all })) !== null)
      throw new NotFoundError()
  }

  async #tryCreate(begun: Begun, request: WriteRequest): Promise<WriteResult> {
    const opened = this.#opener.open(request)
    const { write, prepared } = opened instanceof Promise ? await opened : opened
    begun.write = write
    const parsed = prepareCreation(this.#sources, write)
    const { input, names } = parsed instanceof Promise ? await parsed : parsed
    begun.input = input
    begun.names = names
    const columns = this.#commits.isGroupable(write) ? this.#commits.returning(write, prepared) : null
    const work = async (tx: Transaction): Promise<Written> => {
      if (names.length > 0) await tx.lockNames(names)
      const locked = this.#locks.lockForCreation(tx, write, input)
      if (locked !== undefined) await locked
      if (write.singleton && (await this.#rows.isFilled(tx, write.type))) throw new SingleTypeExistsError()
      const hidden = this.#links.findHidden(write, input)
      const { relations, references } = this.#begin(tx, input, hidden instanceof Promise ? await hidden : hidden)
      const written = await this.#inserter.insert(tx, input, references, columns)
      write.id = written.id
      await this.#trees.below(relations, input.entry, written.id, true)
      return written
    }
    const isPrivate = this.#commits.isPrivate(write, columns)
    return await this.#commits.commit({ write, prepared, work }, { isPrivate, serializable: write.serializable })
  }

  /** The references and last places of a write, before they are read. */
  #begin(
    tx: Transaction,
    input: Input,
    hidden: HiddenIds,
  ): { readonly relations: RelationWrite; readonly references: ReferenceCheck } {
    const lastPlaces = new LastPlaces(this.#statements, input)
    if (this.#statements.dialect.rowLocks !== null) lastPlaces.register(tx, this.#tools.numbers)
    const references = new ReferenceCheck(this.#statements, input, hidden, lastPlaces)
    return { relations: { tx, tools: this.#tools, lastPlaces }, references }
  }

  /** Changes an entry; attributes that were not sent stay. Throws NotFoundError if there is none. */
  async update(changed: UpdateRequest): Promise<WriteResult> {
    const { uid, id, data, params, context, meta = false, isAuthorized = false } = changed
    const request: WriteRequest = { uid, action: 'update', id, data, params, context, meta, isAuthorized }
    const begun: Begun = { write: null, names: noNames, input: null }
    const attempt = () => this.#tryUpdate(begun, request)
    // If a hook or lifecycle reads the entry before the change, it must still be unchanged at the change.
    const { preWrite } = this.#writeHooks.of(uid, 'update', context)
    const mayReadFirst = preWrite !== null || this.#lifecycles.hasListeners(uid)
    try {
      return await (mayReadFirst ? this.#database.withPinnedWriter(attempt) : attempt())
    } catch (error) {
      if (!isStale(error, begun)) throw lastingClash(error, begun.input)
      return this.#database.withPinnedWriter(() => this.#repeat(begun, attempt))
    }
  }

  /** Throws StaleRowError if the entry, or on SQLite the database, was changed after the entry was read. */
  async #tryUpdate(begun: Begun, request: WriteRequest): Promise<WriteResult> {
    const opened = this.#opener.open(request)
    const { write, prepared } = opened instanceof Promise ? await opened : opened
    begun.write = write
    // Lifecycles may have named another entry.
    const id = write.id!
    const parsed = prepareUpdate(this.#sources, write)
    const { input, names } = parsed instanceof Promise ? await parsed : parsed
    begun.input = input
    begun.names = names
    const { entry, uniques } = input
    const isAlone = entry.relations.length === 0 && entry.components.length === 0 && this.#commits.isGroupable(write)
    const columns = isAlone ? this.#commits.returning(write, prepared) : null
    const work = async (tx: Transaction): Promise<Written> => {
      if (names.length > 0) await tx.lockNames(names)
      const locked = this.#locks.lockForUpdate(tx, write, input)
      if (locked !== undefined) await locked
      if (write.target !== null) await this.entries.requireTarget(write.target, id, write.context)
      const hidden = this.#links.findHidden(write, input)
      const { relations, references } = this.#begin(tx, input, hidden instanceof Promise ? await hidden : hidden)
      const checked = this.#checks.run(tx, input, references)
      if (checked !== undefined) await checked
      const row = await this.#change(tx, input, id, columns)
      if (!isAlone) await this.#trees.below(relations, entry, id, false)
      return { id, row }
    }
    const isLimited = request.context.limits !== undefined || !prepared.parsed.query.internal
    const mayBeRefused = isLimited && prepared.compiled.isBroad
    const isPlain = isAlone && write.rowVersion === null && write.lockedWith.length === 0 && !isRestricted(write)
    const isSingle = isPlain && uniques.length === 0 && !mayBeRefused
    const turn = { table: write.type.table, id }
    const isPrivate = this.#commits.isPrivate(write, columns)
    // Functions of onCommit hooks run in the order of the changes.
    const isShort = isSingle && write.hooks.onCommit === null
    return await this.#commits.commit({ write, prepared, work }, { isSingle, isShort, isPrivate, turn })
  }

  /** Changes the row of an entry. Returns `columns` of it, or null if none are given. Throws NotFoundError. */
  async #change(tx: Transaction, input: Input, id: number, columns: string | null): Promise<unknown[] | null> {
    try {
      if (columns === null) {
        const change = await this.#rows.update(tx, input.entry, id)
        if (change?.changes === 0) throw new NotFoundError()
        return null
      }
      const [row] = await this.#rows.updateReturning(tx, input.entry, id, columns)
      if (row === undefined) throw new NotFoundError()
      return row
    } catch (error) {
      throw uniqueFault(input, error)
    }
  }

  /** Deletes an entry and returns it as it was. Throws NotFoundError if there is none. */
  async delete(removed: DeleteRequest): Promise<WriteResult> {
    const { uid, id: named, params, context, meta = false, isAuthorized = false } = removed
    const opened = this.#opener.open({
      uid,
      action: 'delete',
      id: named,
      data: {},
      params,
      context,
      meta,
      isAuthorized,
    })
    const { write, prepared } = opened instanceof Promise ? await opened : opened
    const id = write.id!
    const work = async (tx: Transaction) => {
      write.tx = tx
      await this.#locks.lockForRemoval(tx, write.type, id)
      if (write.target !== null) await this.entries.requireTarget(write.target, id, context)
      const result = await this.#commits.read(prepared, id, context)
      await write.before()
      await this.#trees.remove(tx, uid, [id])
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
    const relations: RelationWrite = { tx, tools: this.#tools, lastPlaces: null }
    await collides(async () => {
      const change = { kind: 'patch', connect, disconnect: [], strict: true } as const
      await writeRelation(relations, { type, id, isNew: false }, { attribute, change })
      await tx.flush()
    })
  }

  /** Whether the rules of plugins let the caller link an entry by a relation of a new entry. */
  async mayLink({ uid, name, ...linkable }: LinkRequest): Promise<boolean> {
    const type = this.#registry.require(uid)
    return this.#links.mayLink(type, relationOf(type, name), linkable)
  }
}
