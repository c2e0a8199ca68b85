// Writes JSON text for answers without parsing what is JSON already. Independent of columns.

import { CheckedTexts } from './checked-texts.ts'

/** Matches what JSON must escape, and surrogates, because a lone one must not be sent unescaped. */
const needsEscape = /["\\\u0000-\u001f\ud800-\udfff]/

/** The lengths of texts whose JSON is remembered until the next such text is written. */
const shortest = 256
const longest = 64 * 1024

/** The last such text, and its JSON. */
let last = ''
let lastJson = '""'

/**
 * JSON of a text. Most texts need only quotes, and this test takes half the time of JSON.stringify. An attribute that is
 * asked for under many names is tested once.
 */
export function quoteText(value: string): string {
  if (value.length < shortest || value.length > longest) return quote(value)
  if (value !== last) {
    lastJson = quote(value)
    last = value
  }
  return lastJson
}

function quote(value: string): string {
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
