// Finds ports for the servers that tests start.

import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/** Systems give outgoing connections, and servers at port 0, the ports above: from 32768 on Linux. */
const lowest = 10_000
const highest = 32_000

/**
 * A port of this machine that no server uses, the first of `count` that follow each other. No connection that another
 * test opens meanwhile is given one of them.
 */
export async function freePort(count = 1): Promise<number> {
  while (true) {
    const first = lowest + Math.floor(Math.random() * (highest - lowest))
    const servers: Server[] = []
    try {
      for (let port = first; port < first + count; port++) {
        const server = createServer()
        servers.push(server)
        await once(server.listen(port, '127.0.0.1'), 'listening')
      }
      return first
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    } finally {
      await Promise.all(servers.map(server => new Promise(resolve => server.close(resolve))))
    }
  }
}
