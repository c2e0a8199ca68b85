/**
 * The Redis that tests use: the one at PLINTH_REDIS, which is then required, or the one of this machine, without which
 * such tests are skipped and the whole test says so.
 */

import { connect } from 'node:net'

export const redisUrl = process.env.PLINTH_REDIS ?? 'redis://127.0.0.1:6379'

/** Returns why the Redis does not answer; null if it does. */
export function redisFault(): Promise<string | null> {
  const { hostname, port } = new URL(redisUrl)
  return new Promise(resolve => {
    const socket = connect({ host: hostname, port: Number(port || 6379), timeout: 2000 })
    const end = (fault: string | null) => {
      socket.destroy()
      resolve(fault)
    }
    const failed = (what: string) => end(`redis: ${what} at ${redisUrl}`)
    socket.once('connect', () => socket.write('PING\r\n'))
    // It says PONG, or that it wants a password.
    socket.once('data', data => (/^\+PONG|^-NOAUTH/.test(String(data)) ? end(null) : failed('no PONG')))
    socket.once('timeout', () => failed('no answer'))
    socket.once('error', error => failed((error as NodeJS.ErrnoException).code ?? error.message))
  })
}

/** Options of a test that needs the Redis. Throws if PLINTH_REDIS names one that does not answer. */
export async function needsRedis(): Promise<{ readonly skip: string | false }> {
  const fault = await redisFault()
  if (fault !== null && process.env.PLINTH_REDIS !== undefined)
    throw new Error(`The Redis that PLINTH_REDIS names does not answer: ${fault}`)
  return { skip: fault ?? false }
}
