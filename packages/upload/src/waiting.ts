// Whether somebody still waits for an upload: a signal that aborts when the client has gone, or when the upload takes too
// long.

import type { IncomingMessage } from 'node:http'
import { PlinthError } from '@plinth/kernel'

/** Runs `work` with the signal of a request. `timeLimit` is in milliseconds. */
export async function whileWaiting<T>(
  { socket }: Pick<IncomingMessage, 'socket'>,
  timeLimit: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const leave = () => controller.abort(new PlinthError(400, 'BadRequestError', 'The client closed the connection'))
  const expire = () => controller.abort(new PlinthError(408, 'RequestTimeoutError', 'The upload takes too long'))
  const timer = setTimeout(expire, timeLimit)
  socket.once('close', leave)
  if (socket.destroyed) leave()
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
    socket.off('close', leave)
  }
}
