// The signals that end a command. Each command has its own actions.

/**
 * Milliseconds in which a second signal counts as the same, as in stopOnSignals of the server: npm and pnpm pass on the
 * signals that they receive, and a terminal sends a signal to all processes of a group by itself.
 */
const sameSignal = 2000

/** The actions of a command at signals. */
export interface SignalActions {
  readonly onFirst: () => void
  /** Is called at a signal that arrives more than two seconds after the first. */
  readonly onFurther: () => void
}

/** Listens to signals. Returns a function that ends that. */
export function listenToSignals(signals: readonly NodeJS.Signals[], { onFirst, onFurther }: SignalActions): () => void {
  let first: number | null = null
  const listener = () => {
    if (first === null) {
      first = performance.now()
      onFirst()
    } else if (performance.now() - first > sameSignal) onFurther()
  }
  for (const signal of signals) process.on(signal, listener)
  return () => {
    for (const signal of signals) process.off(signal, listener)
  }
}

const codes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

/** Ends the process at signals to which nothing else listens, with the exit code that a shell reports for them. */
export function endAtSignals(): void {
  for (const [signal, code] of Object.entries(codes))
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(code)
    })
}
