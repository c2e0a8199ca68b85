// Accepts WebSocket connections at the path of the endpoint, within their limits, and closes them with the server. It knows
// no operations. Other paths belong to other code of the server, which may have WebSockets of its own.

import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { clientAddress } from '@plinth/server/transport'
import { type WebSocket, WebSocketServer } from 'ws'
import { Connection, type ConnectionTools, protocol } from './connection.ts'

/** Milliseconds between two pings; a connection that has not answered until the next one is closed. */
const pingInterval = 30_000
/** Milliseconds that connections have to close with the server. */
const closeTime = 1000

export interface SocketTools extends ConnectionTools {
  /** The path, as it stands in URLs. */
  readonly path: string
  /** Bytes of one message. */
  readonly maxPayload: number
}

/** The WebSocket connections of one endpoint. */
export class Sockets {
  readonly #server: Server
  readonly #tools: SocketTools
  readonly #sockets: WebSocketServer
  readonly #open = new Map<WebSocket, { readonly connection: Connection; isAlive: boolean }>()
  readonly #timer: NodeJS.Timeout
  readonly #listener: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
  #isClosed = false

  constructor(server: Server, tools: SocketTools) {
    this.#server = server
    this.#tools = tools
    const { maxPayload } = tools
    this.#sockets = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      // Compression keeps a context of a third of a megabyte for each connection.
      perMessageDeflate: false,
      maxPayload,
      handleProtocols: names => (names.has(protocol) ? protocol : false),
    })
    this.#listener = (request, socket, head) => this.#upgrade(request, socket, head)
    server.on('upgrade', this.#listener)
    leaveOtherUpgrades(server)
    this.#timer = setInterval(() => this.#ping(), pingInterval)
    this.#timer.unref()
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const isOwn = pathOf(request) === this.#tools.path
    if (!isOwn && this.#server.listenerCount('upgrade') > 1) return
    const status = isOwn ? this.#refusalOf(request) : 404
    // The socket has no other listener, and an error without a listener ends the process.
    socket.on('error', () => socket.destroy())
    if (status !== null) {
      refuse(socket, status)
      return
    }
    this.#sockets.handleUpgrade(request, socket, head, accepted => this.#accept(accepted, socket, request))
  }

  /** The status of the answer to a request that is refused; null if it is not. */
  #refusalOf({ headers }: IncomingMessage): number | null {
    const { settings } = this.#tools
    if (this.#isClosed || this.#open.size >= settings.sockets) return 503
    const { origin, host } = headers
    // As with CORS: pages without an origin, such as sandboxed ones, must be listed (security.md row 69).
    if (origin === undefined || (settings.origins === undefined && origin !== 'null')) return null
    const isSame = URL.canParse(origin) && new URL(origin).host === host
    // Browsers send no slash at the end, and hosts in lower case.
    const isListed = settings.origins?.some(one => one.toLowerCase().replace(/\/$/, '') === origin) === true
    return isSame || isListed ? null : 403
  }

  #accept(socket: WebSocket, stream: Duplex, request: IncomingMessage): void {
    if (socket.protocol !== protocol) {
      socket.on('error', () => socket.terminate())
      socket.close(4406, 'Subprotocol not acceptable')
      return
    }
    const upgrade = { headers: request.headers, ip: clientAddress(this.#tools.kernel, request) }
    const open = { connection: new Connection(socket, stream, upgrade, this.#tools), isAlive: true }
    this.#open.set(socket, open)
    socket.on('pong', () => {
      open.isAlive = true
    })
    socket.on('close', () => this.#open.delete(socket))
  }

  #ping(): void {
    for (const [socket, open] of this.#open) {
      if (!open.isAlive) socket.terminate()
      else {
        open.isAlive = false
        socket.ping()
      }
    }
  }

  /** Refuses new connections and closes all others. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    const closed = [...this.#open].map(([socket, { connection }]) => {
      const gone = new Promise<void>(resolve => void socket.once('close', () => resolve()))
      connection.close(1001, 'The server closes')
      return gone
    })
    const timer = setTimeout(() => {
      for (const socket of this.#open.keys()) socket.terminate()
    }, closeTime)
    await Promise.all(closed)
    clearTimeout(timer)
    this.#tools.outgoing.close()
    this.#server.off('upgrade', this.#listener)
  }
}

/** The path of a request without the query and without a slash at its end. */
function pathOf({ url = '' }: IncomingMessage): string {
  const path = url.split('?', 1)[0]!
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

/** Answers without a WebSocket. */
function refuse(socket: Duplex, status: number): void {
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, 'connection: close', 'content-length: 0', '', '']
  socket.end(lines.join('\r\n'))
}

/**
 * A server with a listener of `upgrade` does not answer requests with other upgrades, such as the `Upgrade: h2c` that
 * some HTTP/2 clients send with each first request, unless `shouldUpgradeCallback` says that they are not upgrades.
 * Older versions of Node have no such callback.
 */
function leaveOtherUpgrades(server: Server): void {
  const upgradeServer = server as { shouldUpgradeCallback?: (request: IncomingMessage) => boolean }
  const before = upgradeServer.shouldUpgradeCallback
  const hasOthers = () => server.listenerCount('upgrade') > 1
  upgradeServer.shouldUpgradeCallback = request =>
    String(request.headers.upgrade).toLowerCase() === 'websocket' ||
    (hasOthers() && before?.call(server, request) === true)
}
