// Reads ids in arguments.

/** The id; null if no entry can have it. */
export function idOf(text: string): number | null {
  return /^\d{1,15}$/.test(text) ? Number(text) : null
}
