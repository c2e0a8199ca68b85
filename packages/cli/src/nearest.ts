// The message for an unknown word, with the word that was probably meant.

import { suggestion } from '@plinth/kernel'

/** `unknown command "plam", did you mean "plan"?`, or the list of known words if none is similar. */
export function nearestOf(what: string, word: string, knownWords: readonly string[]): string {
  const hint = suggestion(word, knownWords)
  return `unknown ${what} "${word}"${hint === '' ? `; the ${what}s are ${knownWords.join(', ')}` : hint}`
}
