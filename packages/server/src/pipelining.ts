// Limits pipelined requests, which a client sends on one connection without waiting for answers. Node begins all of
// them at once and buffers their answers until they are read. Here one is in progress, a few wait, and a client that
// sends more is refused.

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { keepResponse } from './budget/requests.ts'
import { bareAnswer } from './envelope.ts'

/** Maximum number of requests that wait on a connection. */
const maxWaiting = 32

const waiting = new WeakMap<Socket, number>()

/** An onRequest hook. */
type Begin = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void

/**
 * Returns an onRequest hook that calls `begin` when the answers before the request have been passed to the operating
 * system, so a client that does not read its answers gets no further. Without pipelining it costs one property access.
 * It is one hook with `begin`, because each costs a small read a hundredth of its time.
 */
export function takeTurns(begin: Begin): Begin {
  return (request, reply, done) => {
    // Node assigns the socket to a response when those before it are finished.
    if (reply.raw.socket !== null) {
      keepResponse(request, reply)
      begin(request, reply, done)
    } else wait(request, reply, () => begin(request, reply, done))
  }
}

/** Calls `go` when it is the turn of a request, and refuses one that would wait behind too many. */
function wait(request: FastifyRequest, reply: FastifyReply, go: () => void): void {
  const { socket } = request.raw
  const count = (waiting.get(socket) ?? 0) + 1
  waiting.set(socket, count)
  if (count > maxWaiting) {
    refuse(socket)
    return
  }
  reply.raw.once('socket', () => {
    waiting.set(socket, waiting.get(socket)! - 1)
    keepResponse(request, reply)
    go()
  })
}

const refusal = bareAnswer(
  503,
  'Service Unavailable',
  `Too many pipelined requests on one connection: at most ${maxWaiting} may wait for an earlier answer`,
  'retry-after: 1\r\n',
)

/**
 * Ends a connection. It sends the refusal only if a client cannot take it for the answer of a write or for the rest of
 * an answer that has begun.
 */
function refuse(socket: Socket): void {
  if (socket.destroyed || socket.writableEnded) return
  stopReading(socket)
  const { _httpMessage: first } = socket as { _httpMessage?: ServerResponse }
  const isUnsaid =
    first !== undefined && !first.headersSent && (first.req.method === 'GET' || first.req.method === 'HEAD')
  if (!isUnsaid) {
    socket.destroy()
    return
  }
  socket.write(refusal)
  socket.destroySoon()
}

/**
 * Returns whether an answer on the connection has begun and is not finished. Anything written now would become a part of it.
 */
export function isAnswering(socket: Duplex): boolean {
  return (socket as { _httpMessage?: ServerResponse | null })._httpMessage?.headersSent === true
}

/**
 * Returns whether the request that is arriving on the connection was answered, so that a further answer would be taken for that of
 * the next request.
 */
export function isAnswered(socket: Duplex): boolean {
  const { parser, _httpMessage: response = null } = socket as {
    parser?: { readonly incoming?: IncomingMessage | null } | null
    _httpMessage?: ServerResponse | null
  }
  return response === null && (parser?.incoming ?? null) !== null
}

/** Tells Node's parser that what follows is not HTTP. */
const isOther = 2

/**
 * Keeps Node from creating objects for all requests that arrived in one chunk, which can be hundreds, and an error for
 * each when the connection closes. Pausing its parser has no effect before the end of the chunk.
 */
function stopReading(socket: Socket): void {
  const { parser } = socket as { parser?: { onIncoming?: unknown } | null }
  if (typeof parser?.onIncoming === 'function') parser.onIncoming = () => isOther
}

/** Drops requests whose connection was ended while Node parsed them. */
export function dropUnanswerable(server: Server): void {
  const [handle, ...others] = server.listeners('request') as ((...args: unknown[]) => void)[]
  if (handle === undefined || others.length > 0) return
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    if (!socket.destroyed && !socket.writableEnded) handle.call(server, request, response)
  })
}
