// Distinguishes misspellings from other words. nearest.ts only suggests names for what is refused anyway; here
// similarity itself causes the refusal, so the limit is narrower.

/**
 * The candidate of which `word` is a misspelling, or null: at most one edit away, or two in words of more than five
 * letters.
 */
export function typoOf(word: string, candidates: Iterable<string>): string | null {
  let best: string | null = null
  let least = word.length > 5 ? 3 : 2
  for (const candidate of candidates) {
    if (candidate === word) return null
    if (Math.abs(candidate.length - word.length) >= least) continue
    const distance = swapDistance(word.toLowerCase(), candidate.toLowerCase())
    if (distance >= least) continue
    least = distance
    best = candidate
  }
  return best
}

/** The number of edits between two words; swapping two adjacent letters is one edit. */
function swapDistance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, i) => i)]
  for (let i = 1; i <= a.length; i++) {
    const above = rows[i - 1]!
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = above[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwap ? rows[i - 2]![j - 2]! + 1 : replaced
      row.push(Math.min(replaced, swapped, above[j]! + 1, row[j - 1]! + 1))
    }
    rows.push(row)
  }
  return rows[a.length]![b.length]!
}
