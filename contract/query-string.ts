/** Writes parameters as a query string in bracket notation, as front ends do. Null is a key without a value. */

/**
 * `{ filters: { id: [1] } }` → `filters[id][0]=1`. Throws an error for empty lists and objects, which a query string
 * cannot contain.
 */
export function toQueryString(params: Readonly<Record<string, unknown>>): string {
  return Object.entries(params)
    .flatMap(([key, value]) => pairs(encodeURIComponent(key), value))
    .join('&')
}

function pairs(key: string, value: unknown): string[] {
  if (value === undefined) return []
  if (value === null) return [key]
  if (typeof value !== 'object') return [`${key}=${encodeURIComponent(String(value))}`]
  const entries = Object.entries(value)
  if (entries.length === 0) throw new Error(`${key} is empty: a query string cannot say that`)
  return entries.flatMap(([name, inner]) => pairs(`${key}[${encodeURIComponent(name)}]`, inner))
}
