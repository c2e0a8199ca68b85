// Adds the plugin to the routes that write entries: it reads the header when the caller's right is checked, and keeps the
// answer of the handler.

import { createHash } from 'node:crypto'
import { type Access, type Kernel, PlinthError, ValidationError } from '@plinth/kernel'
import { addCorsHeaders, contextOf } from '@plinth/server/transport'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Answers, Run, Standing } from './answers.ts'
import { withKey } from './described.ts'
import { type Keeper, type KeyedRequest, requestKey } from './keyed.ts'

interface GuardTools {
  readonly kernel: Kernel
  readonly answers: Answers
}

const header = 'idempotency-key'

const writeMethods: readonly string[] = ['POST', 'PUT', 'PATCH', 'DELETE']

/** Answers that a later request with the same key is given; after others, such as 401 and 503, it is carried out. */
const isFinal = (status: number) => status < 300 || status === 400 || status === 404

/** Adds hooks to the routes of `app` that write entries, when they are added. */
export function guardRoutes(app: FastifyInstance, tools: GuardTools): void {
  app.decorateRequest(requestKey, null)
  addCorsHeaders(tools.kernel, { allow: ['Idempotency-Key'], expose: ['Idempotency-Replayed'] })
  const isWrite = writesOf(tools.kernel)
  app.addHook('onRoute', route => {
    const action = route.config?.action
    // Fastify makes a route for HEAD of each one for GET.
    const isChanging = [route.method].flat().every(one => writeMethods.includes(one))
    if (action === undefined || !isChanging || !isWrite(action)) return
    const { operation } = route.config ?? {}
    if (operation) route.config = { ...route.config, operation: withKey(operation) }
    route.preValidation = after(route.preValidation, readHook)
    // Policies come first.
    route.preHandler = after(route.preHandler, beginHook(tools, action))
    route.onSend = after(route.onSend, keepHook(tools))
  })
}

/** Returns whether an action is one of the content types that transports have routes for. */
function writesOf({ contentTypes }: Kernel): (action: string) => boolean {
  const types = [...contentTypes.values()].filter(one => !one.internal && !one.hasOwnRoutes && one.kind !== 'component')
  const uids = new Set(types.map(one => one.uid))
  return action => uids.has(action.slice(0, action.lastIndexOf('.')))
}

function after<Hook>(hooks: Hook | Hook[] | undefined, last: unknown): Hook[] {
  return [...(hooks === undefined ? [] : [hooks].flat()), last] as Hook[]
}

/** A hook that has ended, with an error or not. */
type Done = (error?: Error | null) => void

/** preValidation hook: reads the header, and the body before a policy changes it. */
function readHook(request: FastifyRequest, _reply: FastifyReply, done: Done): void {
  const key = request.headers[header]
  if (key !== undefined) {
    const fault = faultOf(key, request)
    const fingerprint = fault === null ? digestOf([request.method, request.url, request.body ?? null]) : ''
    ;(request as Keeper)[requestKey] = { key: String(key), fault, fingerprint, run: null }
  }
  done()
}

/** Makes the preHandler hook, which has a promise for requests with the header only. */
function beginHook({ kernel, answers }: GuardTools, action: string) {
  const begin = async (keyed: KeyedRequest, request: FastifyRequest): Promise<Standing> => {
    const context = await contextOf(request)
    // Neither a replay nor a fault of the key is for those who may not write.
    kernel.authorize(action, context)
    if (keyed.fault !== null) throw new ValidationError(`Invalid Idempotency-Key: ${keyed.fault}`, { path: header })
    return answers.begin(rowIdOf(context.access, keyed.key), keyed.fingerprint)
  }
  return (request: FastifyRequest, reply: FastifyReply, done: Done): void => {
    const keyed = (request as Keeper)[requestKey] ?? null
    if (keyed === null) {
      done()
      return
    }
    begin(keyed, request)
      .then(standing => {
        if (standing.state === 'new') keyed.run = standing.run
        else replay(standing, reply)
        return standing.state === 'new'
      })
      .then(isNew => {
        if (isNew) done()
      }, done)
  }
}

/** Returns what is wrong with a key; null if nothing is. */
function faultOf(key: unknown, { raw: { rawHeaders }, headers }: FastifyRequest): string | null {
  // Node joins several of them.
  const count = rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === header).length
  if (count > 1) return 'the request has more than one'
  if (typeof key !== 'string' || !/^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(key))
    return 'it must have 1 to 255 visible ASCII characters'
  if (/^\s*multipart\//i.test(headers['content-type'] ?? ''))
    return 'requests with files cannot have one; upload the files first, and send their ids'
  return null
}

/** Returns the id of the row of a key. Callers do not share keys: a user has their own, and a token, and those who have neither have them together. */
function rowIdOf(access: Access, key: string): string {
  const { user, token } = access as Access & { readonly token?: { readonly id: unknown } }
  const { id = null } = (user ?? {}) as { readonly id?: unknown }
  const caller = id !== null ? ['user', id] : token !== undefined ? ['token', token.id] : ['rights', access.key]
  return digestOf([caller, key])
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url')
}

/** Answers a request whose key is known. Throws what it is refused with. */
function replay(standing: Exclude<Standing, { readonly state: 'new' }>, reply: FastifyReply): FastifyReply {
  if (standing.state === 'other') {
    const fault = 'The Idempotency-Key was sent before with another method, path or body'
    throw new PlinthError(422, 'UnprocessableEntityError', fault, { path: header })
  }
  if (standing.state === 'running') {
    reply.header('retry-after', '1')
    throw conflict('has not ended yet')
  }
  if (standing.state === 'lost') throw conflict(`has written, but its answer is not known: ${advice}`)
  const { status, type, body } = standing.answer
  if (!isFinal(status)) throw conflict(`has written, but was answered with ${status}: ${advice}`)
  if (body === null) throw conflict(`was answered with ${status}; the answer is too long to be given again`)
  return reply.code(status).header('content-type', type).header('idempotency-replayed', 'true').send(body)
}

const advice = 'look at the entries, and send a new key'

function conflict(fate: string): PlinthError {
  return new PlinthError(409, 'ConflictError', `The first request with this Idempotency-Key ${fate}`, { path: header })
}

/**
 * Makes the onSend hook, which keeps an answer before it is sent, so that whoever has received it can send the request
 * again. If it cannot be kept, it is sent all the same, because the entry is written; the key then is that of a request
 * that was lost.
 */
function keepHook({ answers, kernel }: GuardTools) {
  const keep = async (run: Run, reply: FastifyReply, payload: unknown): Promise<void> => {
    try {
      const status = reply.statusCode
      if (!isFinal(status)) return await answers.release(run, status)
      const type = String(reply.getHeader('content-type') ?? 'application/json; charset=utf-8')
      await answers.keep(run, { status, type, body: typeof payload === 'string' ? payload : null })
    } catch (error) {
      kernel.log.error(error, 'idempotency: an answer could not be kept')
    }
  }
  return (
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
    done: (error: null, payload: unknown) => void,
  ): void => {
    const keyed = (request as Keeper)[requestKey] ?? null
    const run = keyed?.run ?? null
    if (keyed === null || run === null) {
      done(null, payload)
      return
    }
    // Another hook may fail, and its error be sent instead.
    keyed.run = null
    void keep(run, reply, payload).then(() => done(null, payload))
  }
}
