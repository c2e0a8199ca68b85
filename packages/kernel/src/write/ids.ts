// Parses ids as callers send them: whole numbers, or their digits as text. Knows neither types nor tables.

/** The id, or NaN for other values: text and numbers of another form, lists, objects, booleans. Never throws. */
export function parseId(value: unknown): number {
  if (typeof value !== 'number' && typeof value !== 'string' && typeof value !== 'bigint') return Number.NaN
  return /^\d{1,15}$/.test(String(value)) ? Number(value) : Number.NaN
}
