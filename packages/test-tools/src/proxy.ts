// A TCP proxy before a database server, which can be made to say nothing, as a server that hangs or a network that drops,
// or to end all connections, as a server that stops.

import { connect, createServer, type Socket } from 'node:net'
import type { Test } from 'tap'
import type { TestDatabase } from './databases.ts'

/** The proxy's place in a database configuration, and how it is stopped for a while. */
export interface Proxy {
  readonly config: TestDatabase['config']
  /** Holds back all that comes from either side, until `thaw`. */
  freeze(): void
  thaw(): void
  /** All connections end, and so does every new one. */
  cut(): void
  mend(): void
}

/** Listens until the test ends. */
export async function startProxy(t: Test, { config }: TestDatabase): Promise<Proxy> {
  const { host, port } = config.connection as { host: string; port: number }
  const sockets = new Set<Socket>()
  let isFrozen = false
  let isCut = false
  const keep = (socket: Socket) => {
    sockets.add(socket)
    if (isFrozen) socket.pause()
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
  }
  const server = createServer(inner => {
    if (isCut) return void inner.destroy()
    const outer = connect({ host, port })
    for (const [from, to] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      keep(from)
      from.on('data', chunk => to.write(chunk))
      from.on('close', () => to.destroy())
    }
    if (isFrozen) for (const one of [inner, outer]) one.pause()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const at = { ...config.connection, host: '127.0.0.1', port: (server.address() as { port: number }).port }
  return {
    config: { ...config, connection: at },
    freeze() {
      isFrozen = true
      for (const socket of sockets) socket.pause()
    },
    thaw() {
      isFrozen = false
      for (const socket of sockets) socket.resume()
    },
    cut() {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    mend() {
      isCut = false
    },
  }
}
