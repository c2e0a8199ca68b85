// The share of a request in the budget of its server: opened when it first holds something, and closed when its answer
// has been taken or its client has gone. Does not know what is read or written.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Transform } from 'node:stream'
import type { Access, Kernel } from '@plinth/kernel'
import type { FastifyInstance, FastifyReply, FastifyRequest, preParsingHookHandler } from 'fastify'
import { countBodyFor } from './bodies.ts'
import { Budget } from './budget.ts'
import { smallAnswer } from './kinds.ts'
import type { Share } from './share.ts'
import { budgetOptions } from './size.ts'

const budgets = new WeakMap<Kernel, Budget>()

/** Opens the budget of a server, with the settings of config/server. Throws StartError. */
export function openBudget(kernel: Kernel): void {
  budgets.set(kernel, new Budget(budgetOptions(kernel.config.server ?? {})))
}

/** The budget of the server on which a kernel is mounted. */
export function budgetOf(kernel: Kernel): Budget {
  let budget = budgets.get(kernel)
  if (budget === undefined) {
    budget = new Budget(budgetOptions({}))
    budgets.set(kernel, budget)
  }
  return budget
}

/**
 * Returns a name of the caller, equal for all requests of one caller: what the access says (`Access.caller`), its user,
 * or else the address of the client, as the trusted proxy names it.
 */
export function callerOf(access: Access | null, ip: string): string {
  if (access !== null) {
    if (access.caller !== undefined) return access.caller
    const { user } = access
    const id = typeof user === 'object' ? (user as { readonly id?: unknown } | null)?.id : user
    if (id !== undefined) return `user ${String(id)}`
  }
  return ip
}

/** The property of a request, and of its response, that holds its share. */
const shareKey = Symbol('plinth.share')
/** The property of a request that holds its response. */
const responseKey = Symbol('plinth.response')

/** The property of a request whose handler calls `releaseShare`. */
const releaseKey = Symbol('plinth.released')

interface Keeper {
  [shareKey]: Share | null
  [responseKey]: (ServerResponse & { [shareKey]?: Share }) | null
  [releaseKey]: boolean
}

/** A connection, with the share of its request in progress if the handler of this request releases it. */
interface Connection extends Socket {
  [shareKey]?: Share | null
}

/** Lets the requests of a scope have shares, and counts their bodies. */
export function keepShares(scope: FastifyInstance): void {
  // An outer scope may have declared them, as with one kernel below another.
  if (scope.hasRequestDecorator(shareKey)) return
  scope.decorateRequest(shareKey, null)
  scope.decorateRequest(responseKey, null)
  scope.decorateRequest(releaseKey, false)
  scope.addHook('preParsing', countBody)
}

/** Keeps the response of a request that begins, and closes the share of the request before. */
export function keepResponse(request: FastifyRequest, reply: FastifyReply): void {
  ;(request as unknown as Keeper)[responseKey] = reply.raw
  // A handler that promised it has not released the share of the request before.
  const connection: Connection = request.raw.socket
  if (connection[shareKey]) closeShareOf(connection)
}

/**
 * The share of a request. Whoever reads for it, or makes its answer, counts there what it holds; it is closed when the
 * answer was taken, or when the client has gone. `access` says who the caller is, once that is known.
 */
export function shareOf(request: FastifyRequest, access: Access | null = null): Share {
  const keeper = request as unknown as Keeper
  const opened = keeper[shareKey]
  if (opened !== null && opened !== undefined) {
    if (access !== null) opened.moveTo(callerOf(access, request.ip))
    return opened
  }
  const share = budgetOf((request.server as { readonly kernel: Kernel }).kernel).open(callerOf(access, request.ip))
  keeper[shareKey] = share
  const response = keeper[responseKey]
  // A client may have gone while its request was authenticated: then no event follows.
  if (response?.closed === true) share.close()
  else if (response !== null && response !== undefined) {
    if (keeper[releaseKey]) closeWithConnection(share, request.raw.socket)
    else closeWithResponse(share, response)
  }
  return share
}

/** The response of a request; null if it was not kept, as that of one which becomes a WebSocket. */
export function responseOf(request: FastifyRequest): ServerResponse | null {
  return (request as unknown as Partial<Keeper>)[responseKey] ?? null
}

/**
 * Says that the handler of a request calls `releaseShare` when it has sent its answer. The answer then needs no listener,
 * which costs a small read a twentieth of its time.
 */
export function promiseRelease(request: FastifyRequest): void {
  const { httpVersionMajor } = request.raw
  // The requests of a connection of HTTP/2 are in progress beside each other.
  if (httpVersionMajor === 1) (request as unknown as Keeper)[releaseKey] = true
}

/**
 * Closes the share of a request whose answer is sent: at once if the answer is small and the operating system has taken it,
 * and else when that has happened.
 */
export function releaseShare(request: FastifyRequest): void {
  const keeper = request as unknown as Keeper
  const { [shareKey]: share, [responseKey]: response } = keeper
  if (!keeper[releaseKey] || share === null || response === null) return
  keeper[releaseKey] = false
  const connection: Connection = request.raw.socket
  connection[shareKey] = null
  if (response.writableEnded && connection.writableLength === 0 && share.bytes <= smallAnswer) share.close()
  else if (response.closed) share.close()
  else closeWithResponse(share, response)
}

function closeWithResponse(share: Share, response: ServerResponse & { [shareKey]?: Share }): void {
  response[shareKey] = share
  response.on('close', closeShare)
}

/** Listener of a response, the same for all of them. */
function closeShare(this: ServerResponse & { [shareKey]?: Share }): void {
  this[shareKey]?.close()
}

/** Closes a share with its connection, which has one listener for all of its requests. */
function closeWithConnection(share: Share, connection: Connection): void {
  if (connection[shareKey] === undefined) connection.once('close', () => closeShareOf(connection))
  connection[shareKey] = share
}

function closeShareOf(connection: Connection): void {
  connection[shareKey]?.close()
  connection[shareKey] = null
}

/**
 * preParsing hook: counts the bytes of a large body as they arrive. A multipart body is read by its handler, which
 * keeps the fields and not the files.
 */
const countBody: preParsingHookHandler = (request, reply, payload, done) => {
  if (!mayBeLarge(request.raw)) return done(null, payload)
  const share = shareOf(request)
  if (request.headers['content-type']?.toLowerCase().startsWith('multipart/') === true) {
    countBodyFor(share, request.raw)
    return done(null, payload)
  }
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, pass) {
      // The request was answered before its body arrived, which nobody reads then.
      if (share.isClosed) pass()
      else if (share.add('bodies', chunk.length)) pass(null, chunk)
      else pass(share.refuse('bodies'))
    },
  })
  // Whoever reads the body learns of its errors; if nobody does, an error without a listener would end the process.
  counted.on('error', () => {})
  payload.on('error', error => counted.destroy(error))
  // A body that nobody has read must not keep the connection from its next request.
  reply.raw.once('close', () => {
    payload.unpipe(counted)
    payload.resume()
  })
  done(null, payload.pipe(counted))
}

/** Returns whether a request has a body that is read, of more bytes than a small answer, or of an unknown number. */
function mayBeLarge({ method, headers }: IncomingMessage): boolean {
  if (method !== 'POST' && method !== 'PUT' && method !== 'PATCH') return false
  const length = headers['content-length']
  return length === undefined ? headers['transfer-encoding'] !== undefined : Number(length) > smallAnswer
}
