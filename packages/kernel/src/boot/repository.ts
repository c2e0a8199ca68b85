// kernel.query(uid), the transport for code in the same process: the queries of other transports, with entries as plain
// objects.

import { type Context, systemAccess } from '../context.ts'
import { NotFoundError } from '../errors.ts'
import type { FindOneOptions, FindOptions, OptionCheck, QueryMethod, WriteOptions } from '../query/options.ts'
import { type PaginationRules, pageInfo } from '../query/pagination.ts'
import type { Params, ReadRequest } from '../query/request.ts'
import type { Answer, Reader } from '../read/reader.ts'
import type { ReadResult } from '../result/execution.ts'
import { type Entry, toEntries } from '../result/rows.ts'
import type { ContentWriter } from './content-writer.ts'

export type Id = number | string

/** A page of entries; `pagination` as in the `meta` of an answer. */
export interface EntryPage {
  readonly entries: Entry[]
  readonly pagination: Record<string, number>
}

const rules: PaginationRules = { defaultLimit: 25, maxLimit: null, withCount: true }

/** The objects that all repositories of one kernel use. */
export interface RepositoryTools {
  readonly reader: Reader
  readonly writer: ContentWriter
  readonly options: OptionCheck
}

/** Reads and writes entries of one type. Options that a method does not have are refused: they would have no effect. */
export class Repository {
  readonly #uid: string
  readonly #reader: Reader
  readonly #writer: ContentWriter
  readonly #options: OptionCheck
  readonly #context: Context
  /** With all rights, private attributes are shown, as by v4's entity service. */
  readonly #internal: boolean

  /** @internal */
  constructor(uid: string, { reader, writer, options }: RepositoryTools, context: Context) {
    this.#uid = uid
    this.#reader = reader
    this.#writer = writer
    this.#options = options
    this.#context = context
    this.#internal = context.access === systemAccess
  }

  /** All entries that match, or a part of them if `pagination` is given. */
  async findMany(options: FindOptions = {}): Promise<Entry[]> {
    const params = this.#checked('findMany', options)
    if (params.pagination !== undefined) return (await this.#page(params)).entries
    return entriesOf(await this.#read({ action: 'find', params }))
  }

  /** A page of the entries that match, with the total. */
  async findPage(options: FindOptions = {}): Promise<EntryPage> {
    return this.#page(this.#checked('findPage', options))
  }

  async #page(params: Params): Promise<EntryPage> {
    const answer = await this.#read({ action: 'find', params, pagination: rules })
    return { entries: entriesOf(answer), pagination: pageInfo(answer.pagination!, answer.total) }
  }

  /** The entry with that id, or null. */
  async findOne(id: Id, options: FindOneOptions = {}): Promise<Entry | null> {
    const params = this.#checked('findOne', options)
    return entriesOf(await this.#read({ action: 'findOne', id, params }))[0] ?? null
  }

  /** The number of entries that match. */
  async count(options: FindOptions = {}): Promise<number> {
    const { total } = await this.#read({ action: 'count', params: this.#checked('count', options) })
    return total ?? 0
  }

  #read(request: Omit<ReadRequest, 'uid' | 'internal'>): Promise<Answer> {
    return this.#reader.read({ ...request, uid: this.#uid, internal: this.#internal }, this.#context)
  }

  /** Creates an entry; `data` holds its values. */
  async create(options: WriteOptions): Promise<Entry> {
    const { data, ...params } = this.#checked('create', options)
    const result = await this.#writer.create({ uid: this.#uid, data, params, context: this.#context })
    return entriesOf(result)[0]!
  }

  /** Changes an entry; returns null if there is none. */
  async update(id: Id, options: WriteOptions): Promise<Entry | null> {
    const { data, ...params } = this.#checked('update', options)
    return this.#unlessMissing(async () => {
      const result = await this.#writer.update({ uid: this.#uid, id: Number(id), data, params, context: this.#context })
      // The entry may have been deleted right after the change.
      return entriesOf(result)[0] ?? null
    })
  }

  /** Deletes an entry and returns it as it was; null if there is none. */
  async delete(id: Id, options: FindOneOptions = {}): Promise<Entry | null> {
    const params = this.#checked('delete', options)
    return this.#unlessMissing(async () => {
      const result = await this.#writer.delete({ uid: this.#uid, id: Number(id), params, context: this.#context })
      return entriesOf(result)[0]!
    })
  }

  #checked(method: QueryMethod, options: object): Params {
    this.#options.check(this.#uid, method, options, !this.#internal)
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

/** The entries as objects, with the changes of lifecycles. */
function entriesOf({ entries, rows }: ReadResult): Entry[] {
  return entries === undefined ? toEntries(rows) : [...entries]
}
