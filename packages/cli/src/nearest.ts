// A word that is not known, and the one that was meant.

import { suggestion } from '@plinth/kernel'

/** `no command "plam", did you mean "plan"?`, or all there are. */
export function nearestOf(what: string, word: string, known: readonly string[]): string {
  const hint = suggestion(word, known)
  return `no ${what} "${word}"${hint === '' ? `; there are ${known.join(', ')}` : hint}`
}
