// Reads ids in arguments, which GraphQL sends as text.

/** The id in an argument; null if no entry can have it. */
export function idOf(value: unknown): number | null {
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : null
}
