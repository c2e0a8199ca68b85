// Hands the texts of own fields to the writers of rows, in the order in which both go through the entries of an answer. It
// does not know where the texts come from.

/** The texts of the own fields of one answer, and how many of them are written. */
export interface OwnTexts {
  readonly texts: readonly string[]
  written: number
}

// Writing never waits, so one place serves all answers.
let current: OwnTexts | null = null

/** Runs `work`, which writes a part of an answer; null for an answer without own fields. */
export function withOwnTexts(texts: OwnTexts | null, work: () => string): string {
  current = texts
  try {
    return work()
  } finally {
    current = null
  }
}

/** Returns the text of the next own field. */
export function takeOwnText(): string {
  const text = current?.texts[current.written++]
  if (text === undefined) throw new Error('The answer has more own fields than were asked for')
  return text
}
