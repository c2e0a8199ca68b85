// Writes JSON text for answers without parsing what is JSON already. Independent of columns.

import { CheckedTexts } from './checked-texts.ts'

/** Matches what JSON must escape, and surrogates, because a lone one must not be sent unescaped. */
const needsEscape = /["\\\u0000-\u001f\ud800-\udfff]/

/** JSON of a text. Most texts need only quotes, and this test takes half the time of JSON.stringify. */
export function quoteText(value: string): string {
  return needsEscape.test(value) ? JSON.stringify(value) : `"${value}"`
}

/** Parses stored JSON. Text that is not JSON, as in a row that was written by hand, is returned as text. */
export function parseStored(raw: string): unknown {
  try {
    return JSON.parse(raw)
  } catch {
    return raw
  }
}

/** Texts that were found to be JSON; they are copied into answers unchanged. */
const checked = new CheckedTexts({ maxLetters: 16 * 1024 * 1024, maxLettersOfOne: 64 * 1024 })

/** A stored JSON text as JSON. */
export function storedJson(raw: string): string {
  if (checked.has(raw)) return raw
  const value = parseStored(raw)
  if (value === raw) return JSON.stringify(raw)
  checked.add(raw)
  return raw
}
