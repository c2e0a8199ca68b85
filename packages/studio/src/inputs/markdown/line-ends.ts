// Keeps the line ends of a text. An editor knows only `\n`, and what was not typed must not change.

/** The text as editors hold it. */
export const withPlainEnds = (text: string): string => text.replace(/\r\n?/g, '\n')

/** The line end that a text has most often. */
function lineEndOf(text: string): string {
  const counts = { '\r\n': 0, '\n': 0, '\r': 0 }
  for (const [end] of text.matchAll(/\r\n?|\n/g)) counts[end as keyof typeof counts]++
  if (counts['\r\n'] > 0 && counts['\r\n'] >= counts['\n']) return '\r\n'
  return counts['\r'] > counts['\n'] ? '\r' : '\n'
}

/** The value for a text that was edited: the one that was read if it is still that text, and null for none. */
export function editedText(first: string | null | undefined, text: string): string | null {
  const before = first ?? null
  if (text === withPlainEnds(before ?? '')) return before
  if (text === '') return null
  return text.replaceAll('\n', lineEndOf(before ?? ''))
}
