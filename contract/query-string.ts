/** Parameters as a query string in bracket notation, the way front ends write it: null is a key without a value. */

/** `{ filters: { id: [1] } }` → `filters[id][0]=1`. Empty lists and objects cannot be said and throw. */
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
