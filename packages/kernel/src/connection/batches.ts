// Splits long lists for statements that take a fixed number of values. Batch sizes are powers of two, so a few
// statement texts serve lists of all lengths.

/** Splits `items` into batches of at most `most`, in order. */
export function batchesOf<T>(items: readonly T[], most: number): T[][] {
  const batches: T[][] = []
  for (let start = 0; start < items.length; ) {
    const size = 2 ** Math.floor(Math.log2(Math.min(most, items.length - start)))
    batches.push(items.slice(start, start + size))
    start += size
  }
  return batches
}
