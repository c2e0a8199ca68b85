// How much longer short reads take than they usually do, which shows what heavy reads beside them cost. Knows only times.

/** So many reads are needed for a judgement: single ones vary by more than what is looked for. */
const fewest = 30
/** A read that took longer counts no more: it waited for something else, such as a lock. */
const maxRatio = 10

/** Compares reads with what is usual for their shape. */
export class Slowdown {
  #sum = 0
  #reads = 0

  /** `took` and `usual` in milliseconds. */
  note(took: number, usual: number): void {
    this.#sum += Math.min(took / usual, maxRatio)
    this.#reads++
  }

  /** The mean of the reads since the last judgement, 1 being usual; null where there were too few. */
  judge(): number | null {
    if (this.#reads < fewest) return null
    const ratio = this.#sum / this.#reads
    this.#sum = 0
    this.#reads = 0
    return ratio
  }
}
