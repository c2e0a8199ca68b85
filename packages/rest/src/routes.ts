// The routes of content types (B-1.1 to B-1.12): they call the kernel's reader and writer, and serialize the answer.

import {
  type AnswerLimits,
  type ContentType,
  type Context,
  type CreateRequest,
  type Kernel,
  NotFoundError,
  type Operation,
  type PreparedAnswer,
  pageInfo,
  type ReadRequest,
  type ReadResult,
  type Reply,
  TextReader,
  type WriteAction,
} from '@plinth/kernel'
import { contextOf, idOf, promiseRelease, queryStringOf, type Share, shareOf } from '@plinth/server/transport'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { dataOf, isMultipart } from './body.ts'
import type { Settings } from './config.ts'
import { type CheckNames, nameCheckOf } from './data-names.ts'
import { deepPopulates } from './deep.ts'
import { describeEntryRoute } from './described.ts'
import { presentList, presentOne } from './entries.ts'
import { entryRoutesOf } from './entry-routes.ts'
import type { FileWrite } from './files.ts'
import { writeMultipart } from './multipart-body.ts'
import { queryStringParser } from './params.ts'
import { sendAnswer } from './send.ts'
import { type DataWriters, dataWriters, type Written, writeData } from './serialize.ts'

/** The routes of all content types except components, internal types, and those whose plugins have their own routes. */
export class Routes {
  readonly #kernel: Kernel
  readonly #settings: Settings
  readonly #reader: TextReader
  readonly #writers: DataWriters
  readonly #isMetaAlways: boolean
  /** True if the own `meta` of entries is read. */
  readonly #meta: true | 'unread'
  /** Checks names in data before they are written; null if nobody wants to know. */
  readonly #checkNames: CheckNames | null

  constructor(kernel: Kernel, settings: Settings) {
    this.#kernel = kernel
    this.#settings = settings
    this.#isMetaAlways = settings.entryMeta === 'always'
    this.#meta = settings.entryMeta === 'never' ? 'unread' : true
    this.#writers = dataWriters(this.#isMetaAlways)
    this.#checkNames = nameCheckOf(kernel, settings.refuseUnknown)
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
    const { pagination, refuseUnknown } = this.#settings
    const baseRequest = { uid: type.uid, action: 'find', meta: this.#meta, refuseUnknown } as const
    const list = { ...baseRequest, pagination, refuseLoosePaging: true }
    return {
      find: (request, reply) => this.#find(type, list, request, reply),
      findOne: (request, reply) => this.#findOne(type, request, reply),
      create: (request, reply) => this.#create(type, request, reply),
      update: (request, reply) => this.#update(type, request, reply),
      delete: (request, reply) => this.#delete(type, request, reply),
    }
  }

  #ofSingle(type: ContentType): Handlers {
    const { refuseUnknown } = this.#settings
    const list = { uid: type.uid, action: 'find', meta: this.#meta, refuseUnknown } as const
    return {
      find: (request, reply) => this.#findSingle(type, list, request, reply),
      update: (request, reply) => this.#putSingle(type, request, reply),
      delete: (request, reply) => this.#deleteSingle(type, request, reply),
    }
  }

  /** The routes parse the query string themselves. */
  #options(type: ContentType, operation: Operation) {
    const action = this.#kernel.actions.of(type.uid, operation)
    return { config: { parsesQuery: true, action, operation: describeEntryRoute(this.#kernel, type, operation) } }
  }

  #context(request: FastifyRequest): Promise<Context> {
    const { answers } = this.#settings
    promiseRelease(request)
    if (!this.#reader.isLong(request.raw.url!.length)) return contextOf(request, answers)
    return this.#reader.awaitTurn().then(() => contextOf(request, answers))
  }

  async #find(type: ContentType, list: ListRequest, request: FastifyRequest, reply: FastifyReply) {
    const context = await this.#context(request)
    const answer = await this.#reader.read(list, queryStringOf(request), context)
    const data = await this.#list(answer, shareOf(request))
    const meta = { pagination: pageInfo(answer.pagination!, answer.total) }
    return this.#send(reply, { type, action: 'find', params: answer.params, context }, data, meta)
  }

  async #findOne(type: ContentType, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const context = await this.#context(request)
    const id = idOf(request)
    if (id === null) throw this.#missing(type, 'findOne', request, context)
    const { refuseUnknown } = this.#settings
    const one = { uid: type.uid, action: 'findOne', id, meta: this.#meta, refuseUnknown } as const
    const answer = await this.#reader.read(one, queryStringOf(request), context)
    const data = await this.#one(answer, this.#settings.answers, shareOf(request))
    return this.#sendOne(reply, { type, action: 'findOne', params: answer.params, context }, data)
  }

  /** The entry of a single type; all its entries if a parameter of a plugin requests them. */
  async #findSingle(type: ContentType, list: ListRequest, request: FastifyRequest, reply: FastifyReply) {
    const context = await this.#context(request)
    const answer = await this.#reader.read(list, queryStringOf(request), context)
    const { rows, params } = answer
    const { answers } = this.#settings
    const answered = { type, action: 'find', params, context } as const
    const share = shareOf(request)
    if (rows.node.plan.isList)
      return this.#send(reply, answered, await writeData(this.#writers.list, rows, answers, share), {})
    return this.#sendOne(reply, answered, await this.#one(answer, answers, share))
  }

  async #create(type: ContentType, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const context = await this.#context(request)
    const { writer } = this.#kernel
    return this.#write(reply, { type, action: 'create', context }, (scope, data) => writer.create({ ...scope, data }))
  }

  async #update(type: ContentType, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const context = await this.#context(request)
    const id = idOf(request)
    // Data is checked before the id, but a multipart body is read after it.
    if (!isMultipart(request)) dataOf(request.body)
    if (id === null) throw this.#missing(type, 'update', request, context)
    const { writer } = this.#kernel
    const target = { type, action: 'update', id, context } as const
    return this.#write(reply, target, (scope, data) => writer.update({ ...scope, id, data }))
  }

  async #delete(type: ContentType, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const context = await this.#context(request)
    const id = idOf(request)
    if (id === null) throw this.#missing(type, 'delete', request, context)
    const answer = this.#prepareAnswer(request, { type, action: 'delete', context })
    const result = await this.#kernel.writer.delete({ uid: type.uid, id, context, answer })
    return this.#sendWrite(reply, { type, action: 'delete', params: answer.params, context }, result)
  }

  /** PUT of a single type updates its entry, or creates it (B-4.90). */
  async #putSingle(type: ContentType, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const context = await this.#context(request)
    const { writer } = this.#kernel
    return this.#write(reply, { type, action: 'update', context }, (scope, data) => writer.put({ ...scope, data }))
  }

  async #deleteSingle(type: ContentType, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const context = await this.#context(request)
    const { writer } = this.#kernel
    const { uid } = type
    const answer = this.#prepareAnswer(request, { type, action: 'delete', context })
    const { params } = answer
    const id = await writer.entries.findSingle({ uid, action: 'delete', params, context })
    if (id === null) throw new NotFoundError()
    const result = await writer.delete({ uid, id, context, answer })
    return this.#sendWrite(reply, { type, action: 'delete', params, context }, result)
  }

  /** The query of the answer of a write. Throws if the caller lacks the right or if the query is wrong. */
  #prepareAnswer(request: FastifyRequest, { type: { uid }, action, context }: Target): PreparedAnswer {
    const { refuseUnknown } = this.#settings
    return this.#reader.prepareAnswer({ uid, action, meta: this.#meta, refuseUnknown }, queryStringOf(request), context)
  }

  /**
   * Runs `write` with the data of the body, and answers. An error of the data takes precedence over those of the query, but
   * a multipart body is read when everything that can be refused without it has been checked.
   */
  async #write(
    reply: FastifyReply,
    target: EntryWrite,
    write: (scope: WriteScope, data: Record<string, unknown>) => Promise<ReadResult>,
  ): Promise<FastifyReply> {
    const { request } = reply
    const { type, action, context } = target
    const data = isMultipart(request) ? null : dataOf(request.body)
    const answer = this.#prepareAnswer(request, target)
    const scope = { uid: type.uid, context, answer }
    const own = this.#checkNames === null ? write : this.#checkNames(write, { type, context, node: answer.node })
    const result =
      data === null ? await this.#writeMultipart(request, target, one => own(scope, one)) : await own(scope, data)
    return this.#sendWrite(reply, { type, action, params: answer.params, context }, result)
  }

  async #writeMultipart(
    request: FastifyRequest,
    target: EntryWrite,
    write: (data: Record<string, unknown>) => Promise<ReadResult>,
  ): Promise<ReadResult> {
    const { type, id, context } = target
    const { entries } = this.#kernel.writer
    if (id !== undefined) {
      const isThere = (await entries.read(type.uid, id, context, { fields: ['id'] })) !== null
      if (!isThere || !(await entries.mayChange(type.uid, id, context))) throw new NotFoundError()
    }
    const taker = this.#kernel.services.find('rest', 'files')
    const { limits } = this.#settings
    return writeMultipart({ request: request.raw, limits, taker, log: request.log }, target, write)
  }

  /** Returns a 404 for an invalid id, after it has checked the rights and the query (B-2.1). */
  #missing({ uid }: ContentType, action: 'findOne' | 'update' | 'delete', request: FastifyRequest, context: Context) {
    const { refuseUnknown } = this.#settings
    this.#reader.check({ uid, action, meta: this.#meta, refuseUnknown }, queryStringOf(request), context)
    return new NotFoundError()
  }

  /** The `data` of a list: from the rows, or from the entries if lifecycles received them. */
  #list({ rows, entries }: ReadResult, share: Share): Written | Promise<Written> {
    const { answers } = this.#settings
    return entries === undefined
      ? writeData(this.#writers.list, rows, answers, share)
      : presentList(rows, entries, { limits: answers, isMetaAlways: this.#isMetaAlways, share })
  }

  #one({ rows, entries }: ReadResult, limits: AnswerLimits, share: Share | null): Written | Promise<Written> {
    return entries === undefined
      ? writeData(this.#writers.one, rows, limits, share)
      : presentOne(rows, entries, { limits, isMetaAlways: this.#isMetaAlways, share })
  }

  /** The size of a write's answer was checked before COMMIT; after it, the answer must not be refused. */
  #sendWrite(reply: FastifyReply, answered: RestAnswer, result: ReadResult): FastifyReply | Promise<FastifyReply> {
    const data = this.#one(result, unlimited, null)
    if (data instanceof Promise) return data.then(written => this.#sendOne(reply, answered, written))
    return this.#sendOne(reply, answered, data)
  }

  #sendOne(reply: FastifyReply, answered: RestAnswer, data: Written): FastifyReply | Promise<FastifyReply> {
    if (data === 'null') throw new NotFoundError()
    return this.#send(reply, answered, data, {})
  }

  #send(
    reply: FastifyReply,
    answered: RestAnswer,
    data: Written,
    meta: Record<string, unknown>,
  ): FastifyReply | Promise<FastifyReply> {
    const preReply = this.#kernel.hooks.preReply?.for(answered.type.uid, answered.action) ?? null
    if (preReply === null) return sendAnswer(reply, answered.action, data, meta)
    return this.#sendAfter(preReply({ ...answered, meta }), reply, { action: answered.action, data, meta })
  }

  async #sendAfter(
    hooks: void | Promise<void>,
    reply: FastifyReply,
    { action, data, meta }: Pick<Reply, 'action' | 'meta'> & { readonly data: Written },
  ): Promise<FastifyReply> {
    await hooks
    return sendAnswer(reply, action, data, meta)
  }
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

type Handlers = Readonly<Partial<Record<Operation, Handler>>>

/** A list, whose parameters are in the query string. */
type ListRequest = Omit<ReadRequest, 'params'>

/** The answer, for `preReply` hooks. */
type RestAnswer = Omit<Reply, 'meta'>

/** A write of an entry; `id` is that of an existing one. */
interface EntryWrite extends FileWrite {
  readonly id?: number
}

/** A write, of whatever kind. */
interface Target extends Omit<FileWrite, 'action'> {
  readonly action: WriteAction
}

/** The properties of a write request beside its data and its id. */
type WriteScope = Omit<CreateRequest, 'data'>

const unlimited: AnswerLimits = { maxEntries: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY }
