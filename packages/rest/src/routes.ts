// The routes of content types (B-1.1 to B-1.12): ask the engine, write out the answer.

import { Readable } from 'node:stream'
import { setImmediate as others } from 'node:timers/promises'
import {
  type AnswerLimits,
  authorize,
  type Context,
  type ContentType,
  type Kernel,
  NotFoundError,
  type Params,
  type ParsedQuery,
  type Prepared,
  pageInfo,
  type ReadResult,
  ValidationError,
  type WriteResult,
  weighPrepared,
  weighValue,
} from '@plinth/kernel'
import { contextOf } from '@plinth/server/transport'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { dataOf } from './body.ts'
import type { Settings } from './config.ts'
import { presentList, presentOne } from './entries.ts'
import { parseQueryString } from './params.ts'
import { LongTexts } from './long-texts.ts'
import { writeData, writeList, writeOne, type Written } from './serialize.ts'
import type { Sheet } from './sheet.ts'

const jsonType = 'application/json; charset=utf-8'

/** Texts of queries that are longer are not kept: they are rare, and callers can make any number of them. */
const mostText = 4096

/** The routes read the query string themselves. */
const own = { config: { parsesQuery: true } } as const

/** A question as it came, with what was made of it: front ends repeat a few dozen query strings. */
interface Asked {
  readonly params: Params
  readonly prepared: Prepared | null
}

/** Routes of all content types that have some. */
export class Routes {
  readonly #kernel: Kernel
  readonly #settings: Settings
  readonly #asked = new LRUCache<string, Asked>({
    max: 5000,
    maxSize: 64 * 1024 * 1024,
    sizeCalculation: ({ params, prepared }, key) =>
      4 * key.length + weighValue(params) + (prepared === null ? 0 : weighPrepared(prepared)),
  })
  readonly #params = new LRUCache<string, Params>({
    max: 2000,
    maxSize: 8 * 1024 * 1024,
    sizeCalculation: (params, raw) => 4 * raw.length + weighValue(params),
  })

  readonly #longTexts = new LongTexts()

  constructor(kernel: Kernel, settings: Settings) {
    this.#kernel = kernel
    this.#settings = settings
  }

  /** Adds the routes to Fastify. */
  mount(app: FastifyInstance): void {
    for (const type of this.#kernel.contentTypes.values()) {
      if (type.internal || type.kind === 'component') continue
      if (type.kind === 'collectionType') this.#mountCollection(app, type)
      else this.#mountSingle(app, type)
    }
  }

  #mountCollection(app: FastifyInstance, type: ContentType): void {
    const path = `${this.#settings.prefix}/${type.pluralName}`
    app.get(path, own, (request, reply) => this.#find(type, request, reply))
    app.get(`${path}/:id`, own, (request, reply) => this.#findOne(type, request, reply))
    app.post(path, own, (request, reply) => this.#create(type, request, reply))
    app.put(`${path}/:id`, own, (request, reply) => this.#update(type, request, reply))
    app.delete(`${path}/:id`, own, (request, reply) => this.#delete(type, request, reply))
  }

  #mountSingle(app: FastifyInstance, type: ContentType): void {
    const path = `${this.#settings.prefix}/${type.singularName}`
    app.get(path, own, (request, reply) => this.#findSingle(type, request, reply))
    app.put(path, own, (request, reply) => this.#putSingle(type, request, reply))
    app.delete(path, own, (request, reply) => this.#deleteSingle(type, request, reply))
  }

  #context(request: FastifyRequest): Promise<Context> {
    const { answers } = this.#settings
    if (request.raw.url!.length <= mostText) return contextOf(request, answers)
    return this.#longTexts.awaitTurn().then(() => contextOf(request, answers))
  }

  async #find(type: ContentType, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const context = await this.#context(request)
    const options = {
      uid: type.uid,
      action: 'find',
      pagination: this.#settings.pagination,
      meta: true,
      refuseLoosePaging: true,
    } as const
    const { result, parsed, params } = await this.#read(request, context, type, options)
    const data = await this.#list(result)
    const meta = { pagination: pageInfo(parsed.pagination!, result.total) }
    return this.#send(reply, type, data, meta, params, context)
  }

  async #findOne(type: ContentType, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const context = await this.#context(request)
    const id = idOf(request)
    const raw = rawQuery(request)
    const listens = this.#kernel.engine.lifecycles.hearsReads(type.uid)
    const key = `${context.access.key} ${type.uid} 1 ${raw}`
    const known = listens ? undefined : this.#asked.get(key)
    const params = known?.params ?? this.#paramsOf(raw)
    if (id === null) throw this.#missing(type, 'findOne', params, context)
    const options = { uid: type.uid, action: 'findOne', id, pagination: null, meta: true } as const
    const { engine } = this.#kernel
    if (listens) {
      const read = await engine.read(params, options, context)
      return this.#sendRead(reply, type, read, params, context)
    }
    const prepared =
      known?.prepared ?? this.#readText(raw, () => engine.prepare(engine.parse(params, options), context))
    if (known === undefined && raw.length <= mostText) this.#asked.set(key, { params, prepared })
    const named = engine.rebind(prepared, id, context)
    return this.#sendRead(reply, type, by(named.compiled, await engine.run(named, context)), params, context)
  }

  async #findSingle(type: ContentType, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const context = await this.#context(request)
    const options = { uid: type.uid, action: 'find', pagination: null, meta: true } as const
    const { result, params, compiled } = await this.#read(request, context, type, options)
    if (compiled.plan.root.isList) {
      const list = await writeData(writeList, result.rows, this.#settings.answers)
      return this.#send(reply, type, list, {}, params, context)
    }
    const entry = await this.#one(result, this.#settings.answers)
    if (entry === 'null') throw new NotFoundError()
    return this.#send(reply, type, entry, {}, params, context)
  }

  /** Reads by the remembered question; by the long way where lifecycles listen. */
  async #read(
    request: FastifyRequest,
    context: Context,
    type: ContentType,
    options: Parameters<Kernel['engine']['parse']>[1],
  ): Promise<{ result: ReadResult; parsed: ParsedQuery; params: Params; compiled: Prepared['compiled'] }> {
    const { engine } = this.#kernel
    const raw = rawQuery(request)
    if (engine.lifecycles.hearsReads(type.uid)) {
      const params = this.#paramsOf(raw)
      const result = await engine.read(params, options, context)
      return { result, parsed: result.parsed, params, compiled: engine.prepare(result.parsed, context).compiled }
    }
    const key = `${context.access.key} ${type.uid} * ${raw}`
    let asked = this.#asked.get(key)
    if (asked === undefined) {
      const params = this.#paramsOf(raw)
      asked = { params, prepared: this.#readText(raw, () => engine.prepare(engine.parse(params, options), context)) }
      if (raw.length <= mostText) this.#asked.set(key, asked)
    }
    const { compiled, parsed } = asked.prepared!
    return { result: by(compiled, await engine.run(asked.prepared!, context)), parsed, params: asked.params, compiled }
  }

  #paramsOf(raw: string): Params {
    const known = this.#params.get(raw)
    if (known !== undefined) return known
    // Frozen: what is made of it may be remembered by it.
    const params = Object.freeze(this.#readText(raw, () => parseQueryString(raw)))
    if (raw.length <= mostText) this.#params.set(raw, params)
    return params
  }

  #readText<T>(raw: string, read: () => T): T {
    return raw.length <= mostText ? read() : this.#longTexts.read(read)
  }

  async #create(type: ContentType, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const context = await this.#context(request)
    const params = this.#paramsOf(rawQuery(request))
    const result = await this.#kernel.writer.create(type.uid, dataOf(request.body), params, context, true)
    return this.#sendWrite(reply, type, result, params, context)
  }

  async #update(type: ContentType, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const context = await this.#context(request)
    const params = this.#paramsOf(rawQuery(request))
    const data = dataOf(request.body)
    const id = idOf(request)
    if (id === null) throw this.#missing(type, 'update', params, context)
    const result = await this.#kernel.writer.update(type.uid, id, data, params, context, true)
    return this.#sendWrite(reply, type, result, params, context)
  }

  async #delete(type: ContentType, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const context = await this.#context(request)
    const params = this.#paramsOf(rawQuery(request))
    const id = idOf(request)
    if (id === null) throw this.#missing(type, 'delete', params, context)
    const result = await this.#kernel.writer.delete(type.uid, id, params, context, true)
    return this.#sendWrite(reply, type, result, params, context)
  }

  /** PUT of a single type changes its entry, or makes it (B-4.90). */
  async #putSingle(type: ContentType, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const context = await this.#context(request)
    const params = this.#paramsOf(rawQuery(request))
    const data = dataOf(request.body)
    const result = await this.#kernel.writer.put(type.uid, data, params, context, true)
    return this.#sendWrite(reply, type, result, params, context)
  }

  async #deleteSingle(type: ContentType, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const context = await this.#context(request)
    const params = this.#paramsOf(rawQuery(request))
    const id = await this.#kernel.writer.entries.findSingle(type.uid, 'delete', params, context)
    if (id === null) throw this.#missing(type, 'delete', params, context)
    const result = await this.#kernel.writer.delete(type.uid, id, params, context, true)
    return this.#sendWrite(reply, type, result, params, context)
  }

  /** 404 for an id that cannot be one, or a single type without entry, after right and question were found sound (B-2.1). */
  #missing(type: ContentType, action: 'findOne' | 'update' | 'delete', params: Params, context: Context): Error {
    const { engine } = this.#kernel
    authorize(type.uid, action, context.access)
    engine.prepare(engine.parse(params, { uid: type.uid, action, id: 0, pagination: null }), context)
    return new NotFoundError()
  }

  /** The `data` of a list; what lifecycles made of it where they looked. */
  #list({ rows, entries }: ReadResult): Written | Promise<Written> {
    const { answers } = this.#settings
    return entries === undefined ? writeData(writeList, rows, answers) : presentList(rows, entries, answers)
  }

  #one({ rows, entries }: ReadResult, limits: AnswerLimits): Written | Promise<Written> {
    return entries === undefined ? writeData(writeOne, rows, limits) : presentOne(rows, entries, limits)
  }

  async #sendRead(reply: FastifyReply, type: ContentType, result: ReadResult, params: Params, context: Context) {
    return this.#sendOne(reply, type, await this.#one(result, this.#settings.answers), params, context)
  }

  /** The answer of a write was found small enough before COMMIT, and must not be refused behind it. */
  async #sendWrite(reply: FastifyReply, type: ContentType, result: WriteResult, params: Params, context: Context) {
    return this.#sendOne(reply, type, await this.#one(by(result.prepared.compiled, result), unlimited), params, context)
  }

  #sendOne(reply: FastifyReply, type: ContentType, data: Written, params: Params, context: Context) {
    if (data === 'null') throw new NotFoundError()
    return this.#send(reply, type, data, {}, params, context)
  }

  async #send(
    reply: FastifyReply,
    type: ContentType,
    data: Written,
    meta: Record<string, unknown>,
    params: Params,
    context: Context,
  ): Promise<FastifyReply> {
    const { preReply } = this.#kernel.hooks.compiled
    if (preReply !== null) await preReply({ type, meta, params, context })
    const end = `,"meta":${JSON.stringify(meta)}}`
    const answer =
      typeof data === 'string' ? `{"data":${data}${end}` : streamOf(data.sheet, `{"data":${data.text}${end}`)
    return reply.header('content-type', jsonType).send(answer)
  }
}

const unlimited: AnswerLimits = { maxEntries: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY }

/** A long answer, sent piece by piece as the client takes it, others having their turn in between. */
function streamOf(sheet: Sheet, answer: string): Readable {
  async function* pieces() {
    for (const piece of sheet.expand(answer)) {
      yield piece
      await others()
    }
  }
  return Readable.from(pieces(), { objectMode: false, highWaterMark: 64 * 1024 })
}

/** The result as the caller's own plan has it: a plugin may answer with rows that were read for another caller. */
function by({ root }: Prepared['compiled'], result: ReadResult): ReadResult {
  const { rows } = result
  return rows.node === root ? result : { ...result, rows: { ...rows, node: root } }
}

function rawQuery(request: FastifyRequest): string {
  const url = request.raw.url ?? ''
  const at = url.indexOf('?')
  return at === -1 ? '' : url.slice(at + 1)
}

/** The id of a path; null for text that can be none (B-1.22). Throws ValidationError for a NUL. */
function idOf(request: FastifyRequest): number | null {
  const { id } = request.params as { id: string }
  if (id.includes('\0')) throw new ValidationError('Invalid id: holds a NUL', { path: 'id' })
  return /^\d{1,15}(\.0+)?$/.test(id) ? Number(id) : null
}
