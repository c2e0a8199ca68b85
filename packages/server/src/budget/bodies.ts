// Finds the share that counts the bytes of a multipart body, whose reader knows only the request of Node.

import type { IncomingMessage } from 'node:http'
import type { Share } from './share.ts'

const shares = new WeakMap<IncomingMessage, Share>()

/** Lets a share count what the reader of a body keeps in memory. */
export function countBodyFor(share: Share, request: IncomingMessage): void {
  shares.set(request, share)
}

/** The share that counts a body; null if nobody counts it. */
export function shareOfBody(request: IncomingMessage): Share | null {
  return shares.get(request) ?? null
}
