// Finds the word that was most likely meant, for suggestions in error messages.

/** The candidate within two edits (three for long words) of `word`, or null. */
export function nearest(word: string, candidates: Iterable<string>): string | null {
  let best: string | null = null
  let least = word.length > 8 ? 4 : 3
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase(), least)
    if (distance < least) {
      least = distance
      best = candidate
    }
  }
  return best
}

/** `, did you mean "x"?` or an empty string. */
export function suggestion(word: string, candidates: Iterable<string>): string {
  const candidate = nearest(word, candidates)
  return candidate === null ? '' : `, did you mean "${candidate}"?`
}

function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[b.length]!
}
