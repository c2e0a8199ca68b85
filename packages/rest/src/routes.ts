// The routes of content types (B-1.1 to B-1.12): they call the kernel's reader and writer, and serialize the answer.

import {
  type AnswerLimits,
  type Context,
  type ContentType,
  type Kernel,
  NotFoundError,
  type Operation,
  pageInfo,
  type ReadOptions,
  type ReadResult,
  type Reply,
  TextReader,
  ValidationError,
} from '@plinth/kernel'
import { contextOf } from '@plinth/server/transport'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { dataOf, isMultipart } from './body.ts'
import type { Settings } from './config.ts'
import { deepPopulates } from './deep.ts'
import { presentList, presentOne } from './entries.ts'
import { entryRoutesOf } from './entry-routes.ts'
import type { FileWrite } from './files.ts'
import { writeMultipart } from './multipart-body.ts'
import { queryStringParser } from './params.ts'
import { sendNow } from './send.ts'
import { type DataWriters, dataWriters, writeData, type Written } from './serialize.ts'

/** The routes of all content types except components, internal types, and those whose plugins have their own routes. */
export class Routes {
  readonly #kernel: Kernel
  readonly #settings: Settings
  readonly #reader: TextReader
  readonly #writers: DataWriters
  readonly #isMetaAlways: boolean
  /** Whether the own `meta` of entries is read. */
  readonly #meta: true | 'unread'

  constructor(kernel: Kernel, settings: Settings) {
    this.#kernel = kernel
    this.#settings = settings
    this.#isMetaAlways = settings.entryMeta === 'always'
    this.#meta = settings.entryMeta === 'never' ? 'unread' : true
    this.#writers = dataWriters(this.#isMetaAlways)
    this.#reader = new TextReader(
      kernel.reader,
      queryStringParser(kernel),
      deepPopulates(kernel.contentTypes, settings.deep),
    )
  }

  /** Adds the routes to Fastify. */
  mount(app: FastifyInstance): void {
    for (const type of this.#kernel.contentTypes.values()) {
      if (type.internal || type.hasOwnRoutes || type.kind === 'component') continue
      const handlers = type.kind === 'collectionType' ? this.#ofCollection(type) : this.#ofSingle(type)
      for (const { operation, method, path } of entryRoutesOf(this.#kernel, type))
        app.route({
          method,
          url: `${this.#settings.prefix}${path}`,
          ...this.#options(type, operation),
          handler: handlers[operation]!,
        })
    }
  }

  #ofCollection(type: ContentType): Handlers {
    const { pagination } = this.#settings
    const options = { uid: type.uid, pagination, meta: this.#meta, refuseLoosePaging: true }
    return {
      find: (request, reply) => this.#find(type, options, request, reply),
      findOne: (request, reply) => this.#findOne(type, request, reply),
      create: (request, reply) => this.#create(type, request, reply),
      update: (request, reply) => this.#update(type, request, reply),
      delete: (request, reply) => this.#delete(type, request, reply),
    }
  }

  #ofSingle(type: ContentType): Handlers {
    const options = { uid: type.uid, meta: this.#meta }
    return {
      find: (request, reply) => this.#findSingle(type, options, request, reply),
      update: (request, reply) => this.#putSingle(type, request, reply),
      delete: (request, reply) => this.#deleteSingle(type, request, reply),
    }
  }

  /** The routes parse the query string themselves. */
  #options({ uid }: ContentType, operation: Operation) {
    return { config: { parsesQuery: true, action: this.#kernel.actions.of(uid, operation) } }
  }

  #context(request: FastifyRequest): Promise<Context> {
    const { answers } = this.#settings
    if (!this.#reader.isLong(request.raw.url!.length)) return contextOf(request, answers)
    return this.#reader.awaitTurn().then(() => contextOf(request, answers))
  }

  async #find(type: ContentType, options: ReadOptions, request: FastifyRequest, reply: FastifyReply) {
    const context = await this.#context(request)
    const answer = await this.#reader.find(options, rawQuery(request), context)
    const data = await this.#list(answer)
    const meta = { pagination: pageInfo(answer.pagination!, answer.total) }
    return this.#send(reply, { type, action: 'find', params: answer.params, context }, data, meta)
  }

  async #findOne(type: ContentType, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const context = await this.#context(request)
    const id = idOf(request)
    if (id === null) throw this.#missing(type, 'findOne', request, context)
    const answer = await this.#reader.findOne({ uid: type.uid, id, meta: this.#meta }, rawQuery(request), context)
    const data = await this.#one(answer, this.#settings.answers)
    return this.#sendOne(reply, { type, action: 'findOne', params: answer.params, context }, data)
  }

  /** The entry of a single type; all its entries if a parameter of a plugin requests them. */
  async #findSingle(type: ContentType, options: ReadOptions, request: FastifyRequest, reply: FastifyReply) {
    const context = await this.#context(request)
    const answer = await this.#reader.find(options, rawQuery(request), context)
    const { rows, params } = answer
    const { answers } = this.#settings
    const about = { type, action: 'find', params, context } as const
    if (rows.node.plan.isList) return this.#send(reply, about, await writeData(this.#writers.list, rows, answers), {})
    return this.#sendOne(reply, about, await this.#one(answer, answers))
  }

  async #create(type: ContentType, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const context = await this.#context(request)
    const params = this.#reader.params(rawQuery(request), type.uid)
    const result = await this.#write(request, { type, action: 'create', context }, data =>
      this.#kernel.writer.create({ uid: type.uid, data, params, context, meta: this.#meta }),
    )
    return this.#sendWrite(reply, { type, action: 'create', params, context }, result)
  }

  async #update(type: ContentType, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const context = await this.#context(request)
    const params = this.#reader.params(rawQuery(request), type.uid)
    const id = idOf(request)
    // Data is checked before the id, but a multipart body is read after it.
    if (!isMultipart(request)) dataOf(request.body)
    if (id === null) throw this.#missing(type, 'update', request, context)
    const result = await this.#write(request, { type, action: 'update', id, context }, data =>
      this.#kernel.writer.update({ uid: type.uid, id, data, params, context, meta: this.#meta }),
    )
    return this.#sendWrite(reply, { type, action: 'update', params, context }, result)
  }

  async #delete(type: ContentType, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const context = await this.#context(request)
    const params = this.#reader.params(rawQuery(request), type.uid)
    const id = idOf(request)
    if (id === null) throw this.#missing(type, 'delete', request, context)
    const result = await this.#kernel.writer.delete({ uid: type.uid, id, params, context, meta: this.#meta })
    return this.#sendWrite(reply, { type, action: 'delete', params, context }, result)
  }

  /** PUT of a single type updates its entry, or creates it (B-4.90). */
  async #putSingle(type: ContentType, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const context = await this.#context(request)
    const params = this.#reader.params(rawQuery(request), type.uid)
    const result = await this.#write(request, { type, action: 'update', context }, data =>
      this.#kernel.writer.put({ uid: type.uid, data, params, context, meta: this.#meta }),
    )
    return this.#sendWrite(reply, { type, action: 'update', params, context }, result)
  }

  async #deleteSingle(type: ContentType, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const context = await this.#context(request)
    const params = this.#reader.params(rawQuery(request), type.uid)
    const id = await this.#kernel.writer.entries.findSingle({ uid: type.uid, action: 'delete', params, context })
    if (id === null) throw this.#missing(type, 'delete', request, context)
    const result = await this.#kernel.writer.delete({ uid: type.uid, id, params, context, meta: this.#meta })
    return this.#sendWrite(reply, { type, action: 'delete', params, context }, result)
  }

  /** Runs `write` with the data of the body. */
  #write(request: FastifyRequest, about: EntryWrite, write: WriteData): Promise<ReadResult> {
    return isMultipart(request) ? this.#writeMultipart(request, about, write) : write(dataOf(request.body))
  }

  /** Reads a multipart body when everything that can be refused without it has been checked. */
  async #writeMultipart(request: FastifyRequest, about: EntryWrite, write: WriteData): Promise<ReadResult> {
    const { type, action, id, context } = about
    this.#reader.check({ uid: type.uid, action }, rawQuery(request), context)
    const { entries } = this.#kernel.writer
    if (id !== undefined) {
      const isThere = (await entries.read(type.uid, id, context, { fields: ['id'] })) !== null
      if (!isThere || !(await entries.mayChange(type.uid, id, context))) throw new NotFoundError()
    }
    const taker = this.#kernel.services.find('rest', 'files')
    const { limits } = this.#settings
    return writeMultipart({ request: request.raw, limits, taker, log: request.log }, about, write)
  }

  /**
   * Returns a 404 for an invalid id, or for a single type without entry, after it has checked the rights and the query
   * (B-2.1).
   */
  #missing({ uid }: ContentType, action: 'findOne' | 'update' | 'delete', request: FastifyRequest, context: Context) {
    this.#reader.check({ uid, action }, rawQuery(request), context)
    return new NotFoundError()
  }

  /** The `data` of a list: from the rows, or from the entries if lifecycles received them. */
  #list({ rows, entries }: ReadResult): Written | Promise<Written> {
    const { answers } = this.#settings
    return entries === undefined
      ? writeData(this.#writers.list, rows, answers)
      : presentList(rows, entries, { limits: answers, isMetaAlways: this.#isMetaAlways })
  }

  #one({ rows, entries }: ReadResult, limits: AnswerLimits): Written | Promise<Written> {
    return entries === undefined
      ? writeData(this.#writers.one, rows, limits)
      : presentOne(rows, entries, { limits, isMetaAlways: this.#isMetaAlways })
  }

  /** The size of a write's answer was checked before COMMIT; after it, the answer must not be refused. */
  #sendWrite(reply: FastifyReply, about: Answered, result: ReadResult): FastifyReply | Promise<FastifyReply> {
    const data = this.#one(result, unlimited)
    if (data instanceof Promise) return data.then(written => this.#sendOne(reply, about, written))
    return this.#sendOne(reply, about, data)
  }

  #sendOne(reply: FastifyReply, about: Answered, data: Written): FastifyReply | Promise<FastifyReply> {
    if (data === 'null') throw new NotFoundError()
    return this.#send(reply, about, data, {})
  }

  #send(
    reply: FastifyReply,
    about: Answered,
    data: Written,
    meta: Record<string, unknown>,
  ): FastifyReply | Promise<FastifyReply> {
    const preReply = this.#kernel.hooks.preReply?.for(about.type.uid, about.action) ?? null
    if (preReply === null) return sendNow(reply, data, meta)
    return this.#sendAfter(preReply({ ...about, meta }), reply, data, meta)
  }

  async #sendAfter(
    hooks: void | Promise<void>,
    reply: FastifyReply,
    data: Written,
    meta: Record<string, unknown>,
  ): Promise<FastifyReply> {
    await hooks
    return sendNow(reply, data, meta)
  }
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

type Handlers = Readonly<Partial<Record<Operation, Handler>>>

/** What is answered, for `preReply` hooks. */
type Answered = Omit<Reply, 'meta'>

/** A write of an entry; `id` is that of an existing one. */
interface EntryWrite extends FileWrite {
  readonly id?: number
}

type WriteData = (data: Record<string, unknown>) => Promise<ReadResult>

const unlimited: AnswerLimits = { maxEntries: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY }

function rawQuery(request: FastifyRequest): string {
  const url = request.raw.url ?? ''
  const at = url.indexOf('?')
  return at === -1 ? '' : url.slice(at + 1)
}

/** The id of a path; null if the text cannot be an id (B-1.22). Throws ValidationError for a NUL. */
function idOf(request: FastifyRequest): number | null {
  const { id } = request.params as { id: string }
  if (id.includes('\0')) throw new ValidationError('Invalid id: it contains a NUL character', { path: 'id' })
  return /^\d{1,15}(\.0+)?$/.test(id) ? Number(id) : null
}
