// The endpoint: reads requests and sends what the executor answers (B-9.1 to B-9.8). It knows no schema and no entries.

import { type Context, type Kernel, PlinthError } from '@plinth/kernel'
import { contextOf } from '@plinth/server/transport'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { answerLimits } from '../answer/too-long.ts'
import type { Settings } from '../config.ts'
import type { Executor } from '../execution/executor.ts'
import type { PreparedOperations } from '../execution/prepared.ts'
import type { OperationAnswer } from '../execution/refused-operations.ts'
import { plainRefusal } from './errors.ts'
import { type OperationInput, PlainRefusal, readBody, readSearch } from './input.ts'
import { type GraphqlFiles, readMultipartBody, requirePreflight } from './multipart.ts'

const multipart = 'multipart/form-data'
const jsonType = 'application/json; charset=utf-8'

/** What the endpoint works with. */
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
  const bodyLimit = settings.limits.batch * settings.limits.text * 4
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit }, (_request, body, done) => {
    done(null, body)
  })
  // Read when the caller is known (answerMultipart).
  scope.addContentTypeParser(multipart, (_request, _stream, done) => done(null))
  // Bodies of other types are not read: pages of other origins can send them without asking (security.md row 68).
  scope.addContentTypeParser('*', (_request, _stream, done) => done(null))
  const path = settings.endpoint
  const options = { ...settings.serverOptions.additionalRouteOptions }
  scope.post(path, options, (request, reply) => answerPost(tools, request, reply))
  scope.get(path, options, (request, reply) => answerGet(tools, request, reply))
  scope.route({
    method: ['PUT', 'PATCH', 'DELETE'],
    url: path,
    handler: (_request, reply) =>
      sendText(reply.header('allow', 'GET, POST'), 405, 'Apollo Server supports only GET/POST requests.'),
  })
  // The REST API answers this way, too, but it may be missing.
  const below = path.replace(/\/$/, '')
  if (below === '') return
  scope.route({
    method: ['POST', 'PUT', 'PATCH', 'DELETE'],
    url: `${below}/*`,
    handler: (_request, reply) => sendText(reply.header('allow', 'HEAD, GET'), 405, 'Method Not Allowed'),
  })
}

async function answerPost(tools: EndpointTools, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const context = await contextOf(request, answerLimits)
  if (tools.files !== null && request.headers['content-type']?.toLowerCase().startsWith(multipart) === true)
    return answerMultipart(tools, tools.files, { request, reply, context })
  const body = request.body as string | undefined
  const ready = body === undefined ? undefined : tools.prepared.find(context.access.key, body)
  if (ready !== undefined) return send(reply, await tools.executor.answerReady(ready, aboutOf(request, context)))
  return refusing(reply, async () => {
    const input = readBody(body)
    if (!isBatch(input)) return send(reply, await answerOne(tools, { request, context, input, body: body! }))
    return send(reply, await answerBatch(tools, request, context, input))
  })
}

interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly context: Context
}

/** Operations with files. They are not kept: each has other files. */
async function answerMultipart(tools: EndpointTools, files: GraphqlFiles, about: Exchange): Promise<FastifyReply> {
  const { request, reply, context } = about
  const { settings, executor } = tools
  return refusing(reply, async () => {
    if (settings.csrfPrevention) requirePreflight(request.headers)
    const fieldLimit = settings.limits.batch * settings.limits.text * 4
    const answer = await files.during(request.raw, context, async (receive, signal) => {
      const input = await readMultipartBody(request.raw, { fieldLimit, receive, signal })
      if (isBatch(input)) return answerBatch(tools, request, context, input)
      return executor.answer({ ...aboutOf(request, context), input })
    })
    return send(reply, answer)
  })
}

const aboutOf = (request: FastifyRequest, context: Context) => ({ context, request, reads: null })

interface One {
  readonly request: FastifyRequest
  readonly context: Context
  readonly input: OperationInput
  readonly body: string
}

function answerOne({ executor, prepared }: EndpointTools, one: One): Promise<OperationAnswer> {
  const { request, context, input, body } = one
  return executor.answer({ ...aboutOf(request, context), input }, ready =>
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
  return executor.answerBatch(inputs, { ...aboutOf(request, context), reads: new Map() })
}

async function answerGet(tools: EndpointTools, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  return refusing(reply, async () => {
    const url = request.raw.url ?? ''
    const at = url.indexOf('?')
    const input = at === -1 ? null : readSearch(url.slice(at + 1))
    if (input === null) {
      const isBrowser = String(request.headers.accept ?? '').includes('text/html')
      if (isBrowser && tools.sendExplorer !== null) return tools.sendExplorer(reply)
      return sendText(reply, 400, 'GET query missing.')
    }
    const context = await contextOf(request, answerLimits)
    const answer = await tools.executor.answer({ ...aboutOf(request, context), input, only: 'queries' })
    if (answer.status === 405) reply.header('allow', 'POST')
    return send(reply, answer)
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

function send(reply: FastifyReply, { status, text }: OperationAnswer): FastifyReply {
  return reply.code(status).header('content-type', jsonType).send(text)
}

function sendText(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply.code(status).header('content-type', 'text/plain; charset=utf-8').send(text)
}

/** The envelope of the REST API: credentials and bodies are judged before GraphQL begins (B-9.8). */
function sendEnvelope(reply: FastifyReply, { status, name, message, details }: PlinthError): FastifyReply {
  const error = { status, name, message, ...(details === null ? {} : { details }) }
  return reply
    .code(status)
    .header('content-type', jsonType)
    .send(JSON.stringify({ data: null, error }))
}
