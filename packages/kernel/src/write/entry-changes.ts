// Changes entries inside the transactions of writes: the order of locks, checks and statements, on one page. Knows
// neither how the transaction is committed nor what the write answers.

import { CollisionError } from '../connection/retry.ts'
import type { Maybe, Transaction } from '../connection/session.ts'
import { NotFoundError, SingleTypeExistsError } from '../errors.ts'
import type { Registry } from '../model/registry.ts'
import { Checks, guardUnique, uniqueFault } from './checks.ts'
import type { HiddenIds, LinkRules } from './link-rules.ts'
import type { OpenWrite, Written } from './open-write.ts'
import type { OpenChange } from './opener.ts'
import type { Input } from './parse.ts'
import { LastPlaces, ReferenceCheck } from './references.ts'
import type { RelationTools, RelationWrite } from './relation-write.ts'
import { RowWriter } from './rows.ts'
import type { RuleQueries } from './rule-queries.ts'
import { TreeWriter } from './tree.ts'
import { UniqueValues } from './unique-values.ts'
import type { WriteLocks } from './write-locks.ts'

/** The objects that changes of entries use. */
export interface ChangeTools {
  readonly registry: Registry
  readonly relations: RelationTools
  readonly locks: WriteLocks
  readonly links: LinkRules
  readonly rules: RuleQueries
}

/** Options of a change. */
export interface ChangeOptions {
  /** The columns of the row to return; null returns none. */
  readonly returning: string | null
  /**
   * Foreign keys may test the linked entries of a creation. If one refuses a link, the transaction runs again without
   * this, and the error says what is missing.
   */
  readonly leavesLinksToKeys: boolean
}

/** The references and last places of a write, before they are read. */
interface LinkWork {
  readonly relations: RelationWrite
  readonly references: ReferenceCheck
}

type KeyedLinks = ReadonlySet<string>

/** Changes entries in transactions. */
export class EntryChanges {
  readonly #tools: ChangeTools
  readonly #rows: RowWriter
  readonly #checks: Checks
  readonly #trees: TreeWriter

  constructor(tools: ChangeTools) {
    const { registry, relations } = tools
    const { statements } = relations
    this.#tools = tools
    this.#rows = new RowWriter(statements)
    this.#checks = new Checks(statements.dialect, new UniqueValues({ registry, statements, rows: this.#rows }))
    this.#trees = new TreeWriter(registry, statements, this.#rows)
  }

  /** Creates the entry or changes it. */
  run(tx: Transaction, change: OpenChange, options: ChangeOptions): Promise<Written> {
    const { returning } = options
    return change.write.action === 'create' ? this.#create(tx, change, options) : this.#update(tx, change, returning)
  }

  async #create(tx: Transaction, { write, input, names }: OpenChange, options: ChangeOptions): Promise<Written> {
    if (names.length > 0) await tx.lockNames(names)
    const locked = this.#tools.locks.lockForCreation(tx, write, input)
    if (locked !== undefined) await locked
    if (write.singleton && (await this.#rows.isFilled(tx, write.type))) throw new SingleTypeExistsError()
    if (write.hooks.onLock !== null) await write.hooks.onLock(write)
    const keyedLinks = options.leavesLinksToKeys ? this.#tools.registry.divergence.keyedLinks : null
    const linking = this.#beginLinks(tx, write, input, keyedLinks)
    const { relations, references } = linking instanceof Promise ? await linking : linking
    const written = await this.#insert(tx, input, references, options.returning)
    write.id = written.id
    await this.#trees.below(relations, input.entry, written.id, true)
    return written
  }

  /** Throws NotFoundError if there is no such entry, and StaleRowError if it was changed after a hook read it. */
  async #update(tx: Transaction, { write, input, names }: OpenChange, returning: string | null): Promise<Written> {
    const id = write.id!
    if (names.length > 0) await tx.lockNames(names)
    const locked = this.#tools.locks.lockForUpdate(tx, write, input)
    if (locked !== undefined) await locked
    if (write.target !== null) await this.#tools.rules.requireTarget(write.target, id, write.context)
    if (write.hooks.onLock !== null) await write.hooks.onLock(write)
    const linking = this.#beginLinks(tx, write, input, null)
    const { relations, references } = linking instanceof Promise ? await linking : linking
    const checked = this.#checks.run(tx, input, references)
    if (checked !== undefined) await checked
    const row = await this.#change(tx, input, id, returning)
    const { entry } = input
    if (entry.relations.length + entry.components.length > 0) await this.#trees.below(relations, entry, id, false)
    return { id, row }
  }

  /** Removes an entry with its components. */
  remove(tx: Transaction, uid: string, id: number): Promise<void> {
    return this.#trees.remove(tx, uid, [id])
  }

  #beginLinks(tx: Transaction, write: OpenWrite, input: Input, keyedLinks: KeyedLinks | null): Maybe<LinkWork> {
    const hidden = this.#tools.links.findHidden(write, input)
    const begin = (ids: HiddenIds) => this.#linking(tx, input, ids, keyedLinks)
    return hidden instanceof Promise ? hidden.then(begin) : begin(hidden)
  }

  #linking(tx: Transaction, input: Input, hidden: HiddenIds, keyedLinks: KeyedLinks | null): LinkWork {
    const { relations: tools } = this.#tools
    const { statements } = tools
    const places = new LastPlaces(statements, input)
    places.register(tx, tools.numbers)
    const references = new ReferenceCheck({ statements, input, hidden, places, keyedLinks })
    return { relations: { tx, tools, lastPlaces: places }, references }
  }

  /** Inserts the row, after the checks or with them. Throws ValidationError with all faults. */
  async #insert(tx: Transaction, input: Input, references: ReferenceCheck, returning: string | null): Promise<Written> {
    if (returning !== null && this.#canGuard(input, references))
      return this.#insertGuarded(tx, input, references, returning)
    await this.#checks.run(tx, input, references)
    return guardUnique(input, async () => {
      if (returning === null) return { id: await this.#rows.insert(tx, input.entry), row: null }
      const row = await this.#rows.insertReturning(tx, input.entry, returning)
      return { id: Number(row[0]), row }
    })
  }

  /** Returns whether the INSERT can test the linked entries that foreign keys do not, and read the last places. */
  #canGuard({ uniques }: Input, { isCondition, counts }: ReferenceCheck): boolean {
    if (!isCondition) return false
    if (counts.length === 0) return true
    // An INSERT that tests the linked entries locks the counter of ids of the table until it ends. If it waited for
    // another write of the same unique value, all other inserts would wait too.
    return uniques.length === 0 && this.#tools.relations.statements.dialect.insertRowIf !== null
  }

  /** Runs an INSERT that makes no row if linked entries are missing; only then they are counted for the error. */
  async #insertGuarded(tx: Transaction, input: Input, references: ReferenceCheck, returning: string): Promise<Written> {
    await this.#checks.runBeforeGuarded(tx, input, references)
    const row = await guardUnique(input, () => this.#rows.insertIf(tx, input.entry, returning, references))
    if (row !== null) return { id: Number(row[0]), row }
    await this.#checks.runAfterGuarded(tx, input, references)
    throw new CollisionError('Another transaction created the linked entries meanwhile')
  }

  /** Changes the row of an entry, and returns the columns `returning` of it. Throws NotFoundError. */
  async #change(tx: Transaction, input: Input, id: number, returning: string | null): Promise<unknown[] | null> {
    try {
      if (returning === null) {
        const change = await this.#rows.update(tx, input.entry, id)
        if (change?.changes === 0) throw new NotFoundError()
        return null
      }
      const [row] = await this.#rows.updateReturning(tx, input.entry, id, returning)
      if (row === undefined) throw new NotFoundError()
      return row
    } catch (error) {
      throw uniqueFault(input, error)
    }
  }
}
