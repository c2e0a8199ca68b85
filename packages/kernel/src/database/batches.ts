// Long lists for statements that take a fixed number of values: batches whose sizes are powers of two, so that a few texts
// serve lists of all lengths.

/** Batches of at most `most` items, in their order. */
export function batchesOf<T>(items: readonly T[], most: number): T[][] {
  const batches: T[][] = []
  for (let start = 0; start < items.length; ) {
    const size = 2 ** Math.floor(Math.log2(Math.min(most, items.length - start)))
    batches.push(items.slice(start, start + size))
    start += size
  }
  return batches
}
