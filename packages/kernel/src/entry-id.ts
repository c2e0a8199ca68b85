// Reads the ids of entries in texts of requests. Does not know where in a request an id stands.

/**
 * Parses a text as the id of an entry. Returns null for what no entry can have as its id. A fraction of zeros is ignored,
 * as v4 does on SQLite (B-1.22).
 */
export function parseId(text: unknown): number | null {
  return typeof text === 'string' && /^\d{1,15}(?:\.0+)?$/.test(text) ? Number(text) : null
}
