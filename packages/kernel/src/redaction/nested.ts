// Finds where a list or an object ends that stands in a text, as JSON, JavaScript and query languages write them. Knows
// nothing of secrets.

/**
 * The index after the list or the object that begins at `start`. Brackets in quoted texts do not count; in JSON within JSON
 * the quotes are escaped. The length of `text` if it does not end: the text may have been cut. Takes linear time.
 */
export function endOfNested(text: string, start: number): number {
  const token = /[{}[\]"'`]/g
  token.lastIndex = start
  let depth = 0
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [mark] = match
    if (mark === '{' || mark === '[') depth++
    else if (mark === '}' || mark === ']') {
      if (--depth === 0) return token.lastIndex
    } else {
      const end = endOfQuoted(text, match.index)
      if (end === -1) return text.length
      token.lastIndex = end
    }
  }
  return text.length
}

/** The index after a quoted text that begins with the quote at `start`; -1 if it has no end. */
function endOfQuoted(text: string, start: number): number {
  const quote = text[start]!
  const escapes = backslashesBefore(text, start, 0)
  for (let at = text.indexOf(quote, start + 1); at !== -1; at = text.indexOf(quote, at + 1)) {
    const count = backslashesBefore(text, at, start + 1)
    if (escapes === 0 ? count % 2 === 0 : count === escapes) return at + 1
  }
  return -1
}

/** Counts the backslashes that stand right before the index `at`, and not before `least`. */
function backslashesBefore(text: string, at: number, least: number): number {
  let from = at
  while (from > least && text[from - 1] === '\\') from--
  return at - from
}
