// Refuses text that databases cannot all store unchanged: NULs and lone surrogates (security.md row 41).

import { ValidationError } from '@plinth/kernel'

/** Throws ValidationError, with the path, for the first name or value of `data` that holds such text. */
export function checkText(data: unknown): void {
  check(data, [])
}

function check(value: unknown, path: readonly string[]): void {
  if (typeof value === 'string') checkOne(value, path)
  if (value === null || typeof value !== 'object') return
  for (const [key, one] of Object.entries(value)) {
    checkOne(key, path, true)
    check(one, [...path, key])
  }
}

function checkOne(text: string, path: readonly string[], isName = false): void {
  const fault = text.includes('\0') ? 'a NUL character' : text.isWellFormed() ? null : 'half of a surrogate pair'
  if (fault === null) return
  const at = path.join('.')
  const what = isName ? `name in ${at === '' ? 'the body' : at}` : `value for ${at}`
  throw new ValidationError(`Invalid ${what}: it contains ${fault}`, { path: at })
}
