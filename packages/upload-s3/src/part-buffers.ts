// The memory for parts: a fixed number of buffers for all uploads, which are used again. An upload waits for one only
// while it has none, so no two uploads wait for each other.

/** Buffers of one size. They are allocated as they are needed, and not given back to the system. */
export class PartBuffers {
  readonly #size: number
  readonly #most: number
  readonly #free: Buffer[] = []
  readonly #waiting = new Set<(buffer: Buffer) => void>()
  #made = 0

  constructor(size: number, most: number) {
    this.#size = size
    this.#most = most
  }

  /** A buffer if one is free and not waited for, otherwise null. */
  tryTake(): Buffer | null {
    const buffer = this.#free.pop()
    if (buffer !== undefined) return buffer
    if (this.#made === this.#most) return null
    this.#made++
    return Buffer.allocUnsafeSlow(this.#size)
  }

  /** Waits for a buffer; the first who asks gets the first. Rejects with the reason of the signal. */
  async take(signal: AbortSignal): Promise<Buffer> {
    signal.throwIfAborted()
    const buffer = this.tryTake()
    if (buffer !== null) return buffer
    return new Promise((resolve, reject) => {
      const give = (buffer: Buffer) => {
        signal.removeEventListener('abort', leave)
        resolve(buffer)
      }
      const leave = () => {
        this.#waiting.delete(give)
        reject(signal.reason)
      }
      this.#waiting.add(give)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  give(buffer: Buffer): void {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#free.push(buffer)
      return
    }
    this.#waiting.delete(next)
    next(buffer)
  }
}
