// JSON text for answers, without parsing what is JSON already. Knows no column.

/** What JSON must escape; the surrogates because a lone one must not leave as it is. */
const needsEscape = /["\\\u0000-\u001f\ud800-\udfff]/

/** JSON of a text: most texts only want quotes, and looking is half the price of JSON.stringify. */
export function quoteText(value: string): string {
  return needsEscape.test(value) ? JSON.stringify(value) : `"${value}"`
}

/** A hand-made row may hold text that is no JSON; it is answered as text rather than breaking the answer. */
export function parseStored(raw: string): unknown {
  try {
    return JSON.parse(raw)
  } catch {
    return raw
  }
}

/** Texts found to be JSON; they are pasted into answers as they are. */
const checked = new Set<string>()

/** A stored JSON text as JSON. */
export function storedJson(raw: string): string {
  if (checked.has(raw)) return raw
  const value = parseStored(raw)
  if (value === raw) return JSON.stringify(raw)
  if (raw.length <= 2048) {
    if (checked.size >= 10_000) checked.clear()
    checked.add(raw)
  }
  return raw
}
