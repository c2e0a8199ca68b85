// Leaves secrets out of the lines of a log. Knows how records become lines, and that most of them need no search.

import { secretWordParts } from './names.ts'
import { redactRecord } from './record.ts'
import { redactText } from './text.ts'

/**
 * The other parts of a line that may hold a secret, as a part of a regular expression: headers, values of tokens,
 * addresses, encoded texts and SQL.
 */
const others = 'auth|key|code|confirm|verifier|bearer|basic|eyJ|://|%|sql|args|row|entry|from|into|update'

/** Matches the lines that must be searched, and the words that it was made of. */
let suspicious = { words: '', pattern: /(?:)/ }

/** Parsing a line takes as long as writing it, and most lines are about requests without a secret. */
function isSuspicious(line: string): boolean {
  const words = secretWordParts()
  if (suspicious.words !== words) suspicious = { words, pattern: new RegExp(`${words}|${others}`, 'i') }
  return suspicious.pattern.test(line)
}

/**
 * A line of a log without secrets. A JSON object is searched member by member, and ends with a line break; anything else
 * is searched as a text.
 */
export function redactLine(line: string): string {
  if (!isSuspicious(line)) return line
  try {
    return `${JSON.stringify(redactRecord(JSON.parse(line)))}\n`
  } catch {
    // Options of loggers can make lines that are not JSON.
    const left = redactText(line)
    return line.endsWith('\n') && !left.endsWith('\n') ? `${left}\n` : left
  }
}
