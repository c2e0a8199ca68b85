// kernel.query(uid): content for code. The same questions as through a door, answered as plain objects.

import { type Context, systemAccess } from '../context.ts'
import type { Engine } from '../read/engine.ts'
import { NotFoundError } from '../errors.ts'
import { type PaginationRules, pageInfo } from '../query/pagination.ts'
import type { FindOneOptions, FindOptions, OptionCheck, QueryMethod, WriteOptions } from '../query/options.ts'
import type { Params } from '../query/parse.ts'
import { type Entry, toEntries } from '../answer/rows.ts'
import type { Writer } from '../write/writer.ts'

export type Id = number | string

/** A page of entries; `pagination` as in an answer's `meta`. */
export interface EntryPage {
  readonly entries: Entry[]
  readonly pagination: Record<string, number>
}

const rules: PaginationRules = { defaultLimit: 25, maxLimit: null, withCount: true }

/** What the repositories of one kernel share. */
export interface RepositoryTools {
  readonly engine: Engine
  readonly writer: Writer
  readonly options: OptionCheck
}

/** Content of one type. Options that a method does not have are refused: they would limit nothing. */
export class Repository {
  readonly #uid: string
  readonly #engine: Engine
  readonly #writer: Writer
  readonly #options: OptionCheck
  readonly #context: Context
  /** Trusted code sees private attributes, as v4's entity service shows them. */
  readonly #isTrusted: boolean

  constructor(uid: string, { engine, writer, options }: RepositoryTools, context: Context) {
    engine.registry.require(uid)
    this.#uid = uid
    this.#engine = engine
    this.#writer = writer
    this.#options = options
    this.#context = context
    this.#isTrusted = context.access === systemAccess
  }

  /** All entries that match; cut by `pagination` where it is given. */
  async findMany(options: FindOptions = {}): Promise<Entry[]> {
    const params = this.#checked('findMany', options)
    if (params.pagination !== undefined) return (await this.#page(params)).entries
    const result = await this.#engine.read(
      params,
      { uid: this.#uid, action: 'find', pagination: null, internal: this.#isTrusted },
      this.#context,
    )
    return [...(result.entries ?? toEntries(result.rows))]
  }

  /** A page of the entries that match, with the total. */
  async findPage(options: FindOptions = {}): Promise<EntryPage> {
    return this.#page(this.#checked('findPage', options))
  }

  async #page(params: Params): Promise<EntryPage> {
    const result = await this.#engine.read(
      params,
      { uid: this.#uid, action: 'find', pagination: rules, internal: this.#isTrusted },
      this.#context,
    )
    return {
      entries: [...(result.entries ?? toEntries(result.rows))],
      pagination: pageInfo(result.parsed.pagination!, result.total),
    }
  }

  /** The entry with that id, or null. */
  async findOne(id: Id, options: FindOneOptions = {}): Promise<Entry | null> {
    const result = await this.#engine.read(
      this.#checked('findOne', options),
      { uid: this.#uid, action: 'findOne', id, pagination: null, internal: this.#isTrusted },
      this.#context,
    )
    return (result.entries ?? toEntries(result.rows))[0] ?? null
  }

  /** The number of entries that match. */
  async count(options: FindOptions = {}): Promise<number> {
    const result = await this.#engine.read(
      this.#checked('count', options),
      { uid: this.#uid, action: 'count', pagination: null, internal: this.#isTrusted },
      this.#context,
    )
    return result.total ?? 0
  }

  /** Creates an entry; `data` holds its values. */
  async create(options: WriteOptions): Promise<Entry> {
    const { data, ...rest } = this.#checked('create', options)
    const result = await this.#writer.create(this.#uid, data, rest, this.#context)
    return (result.entries ?? toEntries(result.rows))[0]!
  }

  /** Changes an entry; null where there is none. */
  async update(id: Id, options: WriteOptions): Promise<Entry | null> {
    const { data, ...rest } = this.#checked('update', options)
    return this.#unlessMissing(async () => {
      const result = await this.#writer.update(this.#uid, Number(id), data, rest, this.#context)
      // Somebody may have deleted it right after the change.
      return (result.entries ?? toEntries(result.rows))[0] ?? null
    })
  }

  /** Deletes an entry and gives it as it was; null where there is none. */
  async delete(id: Id, options: FindOneOptions = {}): Promise<Entry | null> {
    const params = this.#checked('delete', options)
    return this.#unlessMissing(async () => {
      const result = await this.#writer.delete(this.#uid, Number(id), params, this.#context)
      return (result.entries ?? toEntries(result.rows))[0]!
    })
  }

  #checked(method: QueryMethod, options: object): Params {
    this.#options.check(this.#uid, method, options)
    return options as Params
  }

  async #unlessMissing(work: () => Promise<Entry | null>): Promise<Entry | null> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof NotFoundError) return null
      throw error
    }
  }
}
