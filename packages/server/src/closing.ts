// How a server ends within ten seconds whoever is connected: what waits to be accepted is still accepted, requests under way have
// some seconds, connections that say nothing do not count, and what keeps the database from closing is left behind.

import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** Milliseconds from the beginning of close() on. */
const times = {
  /** For connections that wait to be accepted; there may always be more. */
  accept: 500,
  /** Until connections without a request under way are closed: theirs may be on its way. */
  idle: 1000,
  /** Until all connections are closed. */
  all: 8000,
  /** Until nothing is waited for. */
  end: 9500,
}
const interval = 100

/** Returns what runs `close` for as long as there is time, on a server that also has other routes. Connections are left alone. */
export function closeWithin(app: FastifyInstance, close: () => Promise<void>): () => Promise<void> {
  return () => withinTime(app, close, times.end)
}

/** Closes connections in time. Returns what runs the rest of the closing, `close`, and no longer than there is time. */
export function closeInTime(app: FastifyInstance, close: () => Promise<void>): () => Promise<void> {
  const sockets = new Set<Socket>()
  const server = app.server as Server
  server.on('connection', (socket: Socket) => {
    accepted++
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  // Only sockets of plain HTTP/1.1 tell whether a request is under way.
  const tells = 'closeIdleConnections' in server && !('setSecureContext' in server)
  let began = performance.now()
  let timer: NodeJS.Timeout | undefined
  let accepted = 0
  /** A turn accepts one connection of the listener's queue, in which they would be reset. */
  const acceptWaiting = async () => {
    for (let before = -1; before < accepted && performance.now() - began < times.accept; ) {
      before = accepted
      for (let i = 0; i < 3; i++) await turn()
    }
  }
  const closeSome = () => {
    const passed = performance.now() - began
    if (passed < times.idle) return
    for (const socket of sockets) if (passed >= times.all || (tells && isIdle(socket))) socket.destroy()
  }
  app.addHook('preClose', async () => {
    began = performance.now()
    if (server.listening) await acceptWaiting()
    timer = setInterval(closeSome, interval)
  })
  return async () => {
    clearInterval(timer)
    await withinTime(app, close, Math.max(1000, began + times.end - performance.now()))
  }
}

/** No response is under way, not even one that waits for the body of its request. */
function isIdle(socket: Socket): boolean {
  const { _httpMessage: response = null } = socket as { _httpMessage?: unknown }
  return response === null
}

async function withinTime({ log }: FastifyInstance, close: () => Promise<void>, limit: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  let isLate = false
  const late = new Promise<void>(resolve => {
    timer = setTimeout(() => {
      isLate = true
      log.warn('The server was closed before its plugins and its database were: something there is still under way')
      resolve()
    }, limit)
  })
  const closed = close().catch((error: unknown) => {
    if (!isLate) throw error
    log.error(error, 'while closing')
  })
  try {
    await Promise.race([closed, late])
  } finally {
    clearTimeout(timer)
  }
}
