// Turns the signals that end a command into an AbortSignal, so that it can say what remains before it ends.

import { listenToSignals } from '../signals.ts'

/** Maximum time to end, in milliseconds, for a command that waits for a storage or a lock that does not answer. */
const maxTime = 10_000

/**
 * Runs `work` with a signal that is aborted when the process is to end. A second signal, or ten seconds in which the work
 * does not end, end the process at once.
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const end = () => process.exit(1)
  const ignoreSignals = listenToSignals(['SIGINT', 'SIGTERM', 'SIGHUP'], {
    onFirst: () => {
      controller.abort()
      timer = setTimeout(() => {
        console.error(`plinth: interrupted; the command did not end within ${maxTime / 1000} seconds`)
        end()
      }, maxTime)
    },
    onFurther: end,
  })
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
    ignoreSignals()
  }
}
