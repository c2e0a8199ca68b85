// The kinds of bytes that a budget counts, and the size from which on an answer is large.

/** A kind of bytes. */
export const kinds = ['rows', 'answers', 'bodies', 'files', 'variables', 'messages'] as const

export type Kind = (typeof kinds)[number]

/** Maximum size of a small answer, in bytes: a part of the budget is kept for such answers. */
export const smallAnswer = 64 * 1024

/** A count of each kind. */
export function zeros(): Record<Kind, number> {
  return { rows: 0, answers: 0, bodies: 0, files: 0, variables: 0, messages: 0 }
}
