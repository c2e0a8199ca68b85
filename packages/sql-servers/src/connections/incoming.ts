// Counts the bytes that arrive on the connection of a server, and pauses it while there is no room for more: the server then
// waits with its next rows. Depends on no driver.

import type { RowBytes, UnavailableError } from '@plinth/kernel/database'
import type { ServerUsage } from './usage.ts'

/** The part of a socket that is needed. */
interface IncomingSocket {
  on(event: 'data', listener: (chunk: Buffer) => void): unknown
  pause(): unknown
  resume(): unknown
}

/** Counts, from now on, what arrives for the reads of a session. Its driver must listen to the same events before. */
export function countIncoming(stream: IncomingSocket, usage: ServerUsage): void {
  let isPaused = false
  const pause = async (bytes: RowBytes) => {
    isPaused = true
    usage.isWithoutRoom = true
    usage.hasPaused = true
    stream.pause()
    usage.onPause()
    try {
      await bytes.room()
    } catch (error) {
      // Another read may have the connection by now.
      if (usage.bytes === bytes) await usage.interrupt(error as UnavailableError)
    } finally {
      isPaused = false
      usage.isWithoutRoom = false
      stream.resume()
    }
  }
  stream.on('data', ({ length }) => {
    const { bytes } = usage
    // Of a statement that has ended, everything is there.
    if (bytes === null || bytes.add(length) || isPaused || !usage.isRunning || usage.refusal !== null) return
    void pause(bytes)
  })
}
