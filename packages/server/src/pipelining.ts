// Requests that a client sends on one connection without waiting for answers. Node begins all of them at once and keeps their
// answers until they are read; here one is under way, few wait for their turn, and whoever sends more is refused.

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { bareAnswer } from './envelope.ts'

/** Most requests that wait on a connection. */
const maxWaiting = 32

const waiting = new WeakMap<Socket, number>()

/**
 * onRequest hook: begins a request when the answers before it are handed to the operating system, so that a client that does
 * not read its answers gets no further. Costs a look at a property where nothing is pipelined.
 */
export function takeTurns(
  { raw: { socket } }: FastifyRequest,
  { raw: response }: FastifyReply,
  done: () => void,
): void {
  // Node gives a response its socket when those before it are finished.
  if (response.socket !== null) {
    done()
    return
  }
  const count = (waiting.get(socket) ?? 0) + 1
  waiting.set(socket, count)
  if (count > maxWaiting) {
    refuse(socket)
    return
  }
  response.once('socket', () => {
    waiting.set(socket, waiting.get(socket)! - 1)
    done()
  })
}

const refusal = bareAnswer(
  503,
  'Service Unavailable',
  `Too many requests at once on one connection: at most ${maxWaiting} may wait for the answer of another one`,
  'retry-after: 1\r\n',
)

/** Ends a connection; with a word, where that is not taken for the answer of a change or the rest of one that has begun. */
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

/** Has an answer begun on the connection that is not done? What is written now would stand in the middle of it. */
export function isAnswering(socket: Duplex): boolean {
  return (socket as { _httpMessage?: ServerResponse | null })._httpMessage?.headersSent === true
}

/** What Node's parser takes for "what follows is no HTTP". */
const isOther = 2

/**
 * Keeps Node from making objects of all requests that came in one piece, hundreds of them, and an error of each when the connection
 * closes. Pausing its parser has no effect before the end of the piece.
 */
function stopReading(socket: Socket): void {
  const { parser } = socket as { parser?: { onIncoming?: unknown } | null }
  if (typeof parser?.onIncoming === 'function') parser.onIncoming = () => isOther
}

/** Keeps requests from the server whose connection was ended while Node read them. */
export function dropUnanswerable(server: Server): void {
  const [handle, ...others] = server.listeners('request') as ((...args: unknown[]) => void)[]
  if (handle === undefined || others.length > 0) return
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    if (!socket.destroyed && !socket.writableEnded) handle.call(server, request, response)
  })
}
