// The message for an unknown word, with the word that was probably meant. The kernel's own is out of reach: this package
// runs before an application has a kernel.

import { distance } from 'fastest-levenshtein'

/** `unknown option --databse, did you mean --database?`, or the list of words if none is similar. */
export function unknownWord(what: string, word: string, words: readonly string[]): string {
  const edits = (one: string) => distance(word.toLowerCase(), one.toLowerCase())
  const best = words.reduce((least, one) => (edits(one) < edits(least) ? one : least))
  const isSimilar = edits(best) <= (word.length > 8 ? 3 : 2)
  return `unknown ${what} ${word}${isSimilar ? `, did you mean ${best}?` : `; the ${what}s are ${words.join(', ')}`}`
}
