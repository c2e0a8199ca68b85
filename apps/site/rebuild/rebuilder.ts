// Builds the site again when the magazine says that something has changed. Changes that come while it is built make one
// further build. Knows neither Vite nor the magazine.

import { createServer, type IncomingMessage, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { isSigned } from '@plinth/webhooks/signature'

/** The maximum number of bytes of a request. */
const maxBytes = 2 * 1024 * 1024

/** Returns a server that receives the webhook with this secret. What `build` throws is handed to `report`. */
export function rebuilder(secret: string, build: () => Promise<void>, report: (error: unknown) => void): Server {
  let isBuilding = false
  let isStale = false

  async function rebuild(): Promise<void> {
    isStale = true
    if (isBuilding) return
    isBuilding = true
    while (isStale) {
      isStale = false
      await build().catch(report)
    }
    isBuilding = false
  }

  return createServer(async (request, response) => {
    const body = await bodyOf(request)
    const isOurs = body !== null && isSigned({ headers: request.headers, body, secret })
    response.writeHead(isOurs ? 202 : 401).end()
    if (isOurs) await rebuild()
  })
}

/** The text of a request; null if it is too long, or breaks off. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  if (Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY) > maxBytes) return null
  return text(request).catch(() => null)
}
