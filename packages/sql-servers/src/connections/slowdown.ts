// Measures how much longer short reads take than usual, which shows the cost of heavy reads beside them. Depends only
// on times.

/** The number of reads that a measurement needs: single reads vary by more than the effect that is measured. */
const fewest = 30
/** The highest ratio that counts: a read that took longer waited for something else, such as a lock. */
const maxRatio = 10

/** Compares reads with the usual time of their shape. */
export class Slowdown {
  #sum = 0
  #reads = 0

  /** `took` and `usual` in milliseconds. */
  note(took: number, usual: number): void {
    this.#sum += Math.min(took / usual, maxRatio)
    this.#reads++
  }

  /** Returns the mean ratio of the reads since the last measurement, 1 being usual; null if there were too few. */
  takeRatio(): number | null {
    if (this.#reads < fewest) return null
    const ratio = this.#sum / this.#reads
    this.#sum = 0
    this.#reads = 0
    return ratio
  }
}
