// The share of a request in the budget of its server: opened when it first holds something, and closed when its answer
// has been taken or its client has gone. Does not know what is read or written.

import type { IncomingMessage, ServerResponse } from 'node:http'
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
const kept = Symbol('plinth.share')
/** The property of a request that holds its response. */
const answered = Symbol('plinth.response')

interface Keeper {
  [kept]: Share | null
  [answered]: (ServerResponse & { [kept]?: Share }) | null
}

/** Lets the requests of a scope have shares, and counts their bodies. */
export function keepShares(scope: FastifyInstance): void {
  // An outer scope may have declared them, as with one kernel below another.
  if (scope.hasRequestDecorator(kept)) return
  scope.decorateRequest(kept, null)
  scope.decorateRequest(answered, null)
  scope.addHook('onRequest', keepResponse)
  scope.addHook('preParsing', countBody)
}

function keepResponse(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  ;(request as unknown as Keeper)[answered] = reply.raw
  done()
}

/**
 * The share of a request. Whoever reads for it, or makes its answer, counts there what it holds; it is closed when the
 * answer was taken, or when the client has gone. `access` says who the caller is, once that is known.
 */
export function shareOf(request: FastifyRequest, access: Access | null = null): Share {
  const keeper = request as unknown as Keeper
  const opened = keeper[kept]
  if (opened !== null && opened !== undefined) {
    if (access !== null) opened.moveTo(callerOf(access, request.ip))
    return opened
  }
  const share = budgetOf((request.server as { readonly kernel: Kernel }).kernel).open(callerOf(access, request.ip))
  keeper[kept] = share
  const response = keeper[answered]
  // A client may have gone while its request was authenticated: then no event follows.
  if (response?.closed === true) share.close()
  else if (response !== null && response !== undefined) {
    response[kept] = share
    response.on('close', closeShare)
  }
  return share
}

/** Listener of a response, the same for all of them. */
function closeShare(this: ServerResponse & { [kept]?: Share }): void {
  this[kept]?.close()
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
