// Turns the signals that end a command into an AbortSignal, so that it can say what remains before it ends.

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Runs `work` with a signal that is aborted when the process is to end. A second signal ends it at once. */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const end = () => {
    if (controller.signal.aborted) process.exit(1)
    controller.abort()
  }
  for (const signal of signals) process.on(signal, end)
  try {
    return await work(controller.signal)
  } finally {
    for (const signal of signals) process.off(signal, end)
  }
}
