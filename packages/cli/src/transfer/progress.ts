// Shows on a terminal how far a transfer is. Prints nothing elsewhere, where it would fill logs.

const width = 30
/** Milliseconds between two changes of the line. */
const interval = 100

/** A bar on the standard error output. */
export class Progress {
  readonly #isShown = process.stderr.isTTY === true
  #last = 0

  /** Shows a share between 0 and 1, with a text behind it. */
  show(share: number, text: string): void {
    if (!this.#isShown || Date.now() - this.#last < interval) return
    this.#last = Date.now()
    const done = Math.round(Math.min(1, Math.max(0, share)) * width)
    const bar = `${'='.repeat(done)}${' '.repeat(width - done)}`
    process.stderr.write(`\r[${bar}] ${String(Math.round(share * 100)).padStart(3)}% ${text}\x1b[K`)
  }

  /** Removes the bar. */
  clear(): void {
    if (this.#isShown) process.stderr.write('\r\x1b[K')
  }
}
