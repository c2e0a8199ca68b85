// Closes a server within ten seconds, whatever is connected: connections in the listen queue are still accepted,
// requests in progress get some seconds, idle connections are closed, and work that keeps the database from closing is
// abandoned.

import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** Milliseconds without a new connection after which the listen queue counts as empty. */
const quietTime = 20

/**
 * The maximum number of such waits for the listen queue: new connections may always arrive. They are counted, as the
 * checks below are, because a process that gets little of the processor accepts few in a given time.
 */
const maxWaits = 25

/** Milliseconds since the beginning of close(). */
const times = {
  /** Until all connections are closed. */
  all: 8000,
  /** Until the server stops waiting for anything. */
  end: 9000,
}

/** Milliseconds between two checks of the connections. */
const interval = 100

/**
 * The number of checks until connections without a request in progress are closed: a request may still be on its way.
 * Checks are counted, not time, because those of a process that gets little of the processor come late, and so do its
 * requests.
 */
const idleChecks = 10

/**
 * Returns a function that runs `close` within the time limit, for a server that also has other routes. It does not
 * touch connections.
 */
export function closeWithin(app: FastifyInstance, close: () => Promise<void>): () => Promise<void> {
  return () => withinTime(app, close, times.end)
}

/**
 * Closes connections in time. Returns a function that runs the rest of the closing, `close`, within the remaining time.
 */
export function closeInTime(app: FastifyInstance, close: () => Promise<void>): () => Promise<void> {
  const sockets = new Set<Socket>()
  const server = app.server as Server
  server.on('connection', (socket: Socket) => {
    accepted++
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  // Only sockets of plain HTTP/1.1 show whether a request is in progress.
  const showsRequests = 'closeIdleConnections' in server && !('setSecureContext' in server)
  let began = performance.now()
  let timer: NodeJS.Timeout | undefined
  let accepted = 0
  /** A turn of the event loop accepts one connection from the listen queue; those left in the queue would be reset. */
  const acceptWaiting = async () => {
    for (let waits = 0, before = -1; before < accepted && waits < maxWaits; waits++) {
      before = accepted
      await delay(quietTime)
      for (let i = 0; i < 3; i++) await turn()
    }
  }
  let checks = 0
  const closeSome = () => {
    checks++
    if (performance.now() - began >= times.all) for (const socket of sockets) socket.destroy()
    else if (showsRequests && checks >= idleChecks) closeIdle([...sockets].filter(isIdle))
  }
  app.addHook('preClose', async () => {
    began = performance.now()
    if (showsRequests) keepIdle(server)
    timer = setInterval(closeSome, interval)
  })
  closeAfter(server, () => withRequestsHeld(server, acceptWaiting))
  return async () => {
    clearInterval(timer)
    await withinTime(app, close, Math.max(1000, began + times.end - performance.now()))
  }
}

/**
 * Keeps Fastify and Node from closing all connections without a request at the beginning of the end: the next request
 * may be on its way, and would be lost. Its answer tells the client to close the connection.
 */
function keepIdle(server: Server): void {
  server.closeIdleConnections = () => {}
}

/**
 * Lets `work` run directly before the server stops listening, and what it returns directly afterwards. Hooks run before
 * that, and connections that arrive during the last of them would be reset.
 */
function closeAfter(server: Server, work: () => Promise<() => void>): void {
  const close = server.close.bind(server)
  server.close = callback => {
    if (!server.listening) return close(callback)
    void work().then(finish => {
      close(callback)
      finish()
    })
    return server
  }
}

/**
 * Runs `work` while requests that arrive are not handled. Each answer tells its client to close the connection, so that
 * clients under load would make new connections faster than the listen queue can be emptied. Returns a function that
 * lets the requests be handled.
 */
async function withRequestsHeld(server: Server, work: () => Promise<void>): Promise<() => void> {
  const handlers = server.listeners('request') as ((...args: unknown[]) => void)[]
  const requests: unknown[][] = []
  const hold = (...args: unknown[]) => requests.push(args)
  server.removeAllListeners('request')
  server.on('request', hold)
  await work()
  return () => {
    server.off('request', hold)
    for (const handler of handlers) server.on('request', handler)
    for (const args of requests) for (const handler of handlers) handler.apply(server, args)
  }
}

/**
 * Closes those of `sockets` that have received nothing after a turn of the event loop: what arrived while the process was
 * busy is read in this turn.
 */
function closeIdle(sockets: readonly Socket[]): void {
  const received = sockets.map(socket => socket.bytesRead)
  setImmediate(() => {
    for (const [i, socket] of sockets.entries())
      if (isIdle(socket) && socket.bytesRead === received[i]) socket.destroy()
  })
}

/** Returns whether no response is in progress, not even one that waits for the body of its request. */
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
      log.warn('The server has closed, although its plugins or its database did not close in time')
      resolve()
    }, limit)
  })
  const closed = close().catch((error: unknown) => {
    if (!isLate) throw error
    log.error(error, 'Plugins or the database failed to close')
  })
  try {
    await Promise.race([closed, late])
  } finally {
    clearTimeout(timer)
  }
}
