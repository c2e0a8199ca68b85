// The endpoint: reads requests and sends what the executor answers (B-9.1 to B-9.8). It knows no schema and no entries.

import { Readable } from 'node:stream'
import { type Context, type Kernel, PlinthError } from '@plinth/kernel'
import {
  addCorsHeaders,
  bytesOfAnswer,
  contextOf,
  type DescribeOperation,
  nextSlice,
  queryStringOf,
  shareOf,
  shownError,
} from '@plinth/server/transport'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { answerLimits } from '../answer/too-long.ts'
import type { Settings } from '../config.ts'
import type { Executor } from '../execution/executor.ts'
import type { PreparedOperations } from '../execution/prepared.ts'
import type { OperationAnswer } from '../execution/refused-operations.ts'
import { plainRefusal } from '../operation/errors.ts'
import type { OperationInput } from '../operation/operation-input.ts'
import { describeGet, describePost } from './described.ts'
import { PlainRefusal, readBody, readSearch } from './input.ts'
import { type GraphqlFiles, preflighted, readMultipartBody, requirePreflight } from './multipart.ts'

const multipart = 'multipart/form-data'
const jsonType = 'application/json; charset=utf-8'

/** The tools of the endpoint. */
export interface EndpointTools {
  readonly kernel: Kernel
  readonly settings: Settings
  readonly executor: Executor
  readonly prepared: PreparedOperations
  /** Sends the explorer; null if it is off. */
  readonly sendExplorer: ((reply: FastifyReply) => FastifyReply) | null
  /** Takes the files of multipart requests; null if no plugin does. */
  readonly files: GraphqlFiles | null
}

/** Adds the routes of the endpoint to a scope of its own. */
export function mountEndpoint(scope: FastifyInstance, tools: EndpointTools): void {
  const { settings } = tools
  // Otherwise pages of other origins could not send files, which need one of these.
  addCorsHeaders(tools.kernel, { allow: preflighted })
  const bodyLimit = largestBody(settings)
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit }, (_request, body, done) => {
    done(null, body)
  })
  // Read when the caller is known (answerMultipart).
  scope.addContentTypeParser(multipart, (_request, _stream, done) => done(null))
  // Bodies of other types are not read: pages of other origins can send them without asking (security.md row 68).
  scope.addContentTypeParser('*', (_request, _stream, done) => done(null))
  const path = settings.endpoint
  const optionsFor = (own: { readonly operation: DescribeOperation; readonly page?: string }) => {
    const { config, ...options } = settings.serverOptions.additionalRouteOptions ?? {}
    return { ...options, config: { ...own, ...config } }
  }
  const get = { operation: describeGet, ...(tools.sendExplorer !== null && { page: 'GraphQL: explorer' }) }
  scope.post(path, optionsFor({ operation: describePost(tools.files !== null) }), (request, reply) =>
    answerPost(tools, request, reply),
  )
  scope.get(path, optionsFor(get), (request, reply) => answerGet(tools, request, reply))
  scope.route({
    method: ['PUT', 'PATCH', 'DELETE'],
    url: path,
    config: { operation: false },
    handler: (_request, reply) =>
      sendText(reply.header('allow', 'GET, POST'), 405, 'Apollo Server supports only GET/POST requests.'),
  })
  // The REST API answers this way, too, but it may be missing.
  const below = path.replace(/\/$/, '')
  if (below === '') return
  scope.route({
    method: ['POST', 'PUT', 'PATCH', 'DELETE'],
    url: `${below}/*`,
    config: { operation: false },
    handler: (_request, reply) => sendText(reply.header('allow', 'HEAD, GET'), 405, 'Method Not Allowed'),
  })
}

/** Bytes of the operations and variables of a request, whose texts may be written with escapes. */
function largestBody({ limits: { batch, text, variables } }: Settings): number {
  return Math.max(batch * text * 4, text + variables.bytes)
}

async function answerPost(tools: EndpointTools, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const context = await contextOf(request, answerLimits)
  if (tools.files !== null && request.headers['content-type']?.toLowerCase().startsWith(multipart) === true)
    return answerMultipart(tools, tools.files, { request, reply, context })
  const body = request.body as string | undefined
  const ready = body === undefined ? undefined : tools.prepared.find(context.access.key, body)
  if (ready !== undefined)
    return await send(reply, await tools.executor.answerReady(ready, requestOf(request, context)))
  return refusing(reply, async () => {
    const input = readBody(body)
    if (!isBatch(input)) return await send(reply, await answerOne(tools, { request, context, input, body: body! }))
    return await send(reply, await answerBatch(tools, request, context, input))
  })
}

interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly context: Context
}

/** Operations with files. They are not kept: each has other files. */
async function answerMultipart(tools: EndpointTools, files: GraphqlFiles, exchange: Exchange): Promise<FastifyReply> {
  const { request, reply, context } = exchange
  const { settings, executor } = tools
  return refusing(reply, async () => {
    if (settings.csrfPrevention) requirePreflight(request.headers)
    const fieldLimit = largestBody(settings)
    const answer = await files.during(request.raw, context, async (receive, signal) => {
      const input = await readMultipartBody(request.raw, { fieldLimit, receive, signal })
      if (isBatch(input)) return answerBatch(tools, request, context, input)
      return executor.answer({ ...requestOf(request, context), input })
    })
    return await send(reply, answer)
  })
}

const requestOf = (request: FastifyRequest, context: Context) => ({
  context,
  request,
  reads: null,
  claimVariables: (bytes: number) => shareOf(request, context.access).claim('variables', bytes),
})

interface One {
  readonly request: FastifyRequest
  readonly context: Context
  readonly input: OperationInput
  readonly body: string
}

function answerOne({ executor, prepared }: EndpointTools, one: One): Promise<OperationAnswer> {
  const { request, context, input, body } = one
  return executor.answer({ ...requestOf(request, context), input }, ready =>
    prepared.keep(context.access.key, body, ready),
  )
}

function isBatch(input: readonly OperationInput[] | OperationInput): input is readonly OperationInput[] {
  return Array.isArray(input)
}

/** A batch has few operations (security.md row 72). */
async function answerBatch(
  { executor, settings }: EndpointTools,
  request: FastifyRequest,
  context: Context,
  inputs: readonly OperationInput[],
): Promise<OperationAnswer> {
  const { batch } = settings.limits
  if (inputs.length === 0)
    throw new PlainRefusal(400, 'POST body missing, invalid Content-Type, or JSON object has no keys.')
  if (inputs.length > batch) {
    const errors = [plainRefusal(`The batch has ${inputs.length} operations, and at most ${batch} are allowed`)]
    return { status: 400, text: JSON.stringify({ errors }) }
  }
  return executor.answerBatch(inputs, { ...requestOf(request, context), reads: new Map() })
}

async function answerGet(tools: EndpointTools, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  return refusing(reply, async () => {
    const input = readSearch(queryStringOf(request))
    if (input === null) {
      const isBrowser = String(request.headers.accept ?? '').includes('text/html')
      if (isBrowser && tools.sendExplorer !== null) return tools.sendExplorer(reply)
      return sendText(reply, 400, 'GET query missing.')
    }
    const context = await contextOf(request, answerLimits)
    const answer = await tools.executor.answer({ ...requestOf(request, context), input, only: 'queries' })
    if (answer.status === 405) reply.header('allow', 'POST')
    return await send(reply, answer)
  })
}

/** Sends refusals of the transport; other errors belong to the server. */
async function refusing(reply: FastifyReply, work: () => Promise<FastifyReply>): Promise<FastifyReply> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof PlainRefusal) return sendText(reply, error.status, error.message)
    if (error instanceof PlinthError && error.status < 500) return sendEnvelope(reply, error)
    throw error
  }
}

/**
 * Sends an answer, whose bytes count until its client has taken it. Throws UnavailableError if the server has no room for
 * it, unless it tells of a change.
 */
async function send(reply: FastifyReply, { status, text, hasChanged = false }: OperationAnswer): Promise<FastifyReply> {
  const share = shareOf(reply.request)
  const bytes = bytesOfAnswer(text)
  if (!share.answer(bytes) && !hasChanged) await share.room('answers', 0)
  reply.code(status).header('content-type', jsonType)
  return bytes <= pieceLength ? reply.send(text) : reply.header('content-length', bytes).send(piecesOf(text))
}

/** The most bytes of a text that is sent in one piece; a longer one is measured exactly. A piece has a quarter as many characters. */
const pieceLength = 1024 * 1024

/** A long text in pieces, as the client takes them: sent at once, the socket would hold a copy of it. */
function piecesOf(text: string): Readable {
  async function* pieces() {
    for (let at = 0; at < text.length; ) {
      let end = at + pieceLength / 4
      // Not between the halves of a pair.
      const unit = text.charCodeAt(end - 1)
      if (unit >= 0xd800 && unit <= 0xdbff) end--
      yield text.slice(at, end)
      at = end
      if (at < text.length) await nextSlice()
    }
  }
  return Readable.from(pieces(), { objectMode: false, highWaterMark: 64 * 1024 })
}

function sendText(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply.code(status).header('content-type', 'text/plain; charset=utf-8').send(text)
}

/** The envelope of the REST API: credentials and bodies are checked before GraphQL begins (B-9.8). */
function sendEnvelope(reply: FastifyReply, refusal: PlinthError): FastifyReply {
  const { status, name } = refusal
  const { message, details } = shownError(refusal)
  const error = { status, name, message, ...(details === null ? {} : { details }) }
  return reply
    .code(status)
    .header('content-type', jsonType)
    .send(JSON.stringify({ data: null, error }))
}
