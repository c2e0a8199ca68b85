// Checks the lines of a file `.env`. Node ignores a line that is not a setting, among them the form `NAME: value` that v4
// reads, and the application would start without the setting. Messages do not contain values, which may be secret.

import { StartError } from '../errors.ts'

const blank = /\s*(?:#.*)?(?:\n|$)/y
const setting = /[^\S\n]*(?:export[^\S\n]+)?[A-Za-z_][\w.-]*[^\S\n]*=[^\S\n]*/y
const quoted = /(["'`])[\s\S]*?\1/y
const rest = /[^\n]*(?:\n|$)/y

/** Throws StartError for the first line that is not a setting, a comment or part of a quoted value. */
export function checkEnvLines(path: string, text: string): void {
  const lines = text.replaceAll('\r\n', '\n').replace(/^\uFEFF/, '')
  let at = 0
  /** Moves past a match at the present place. */
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    if (!pattern.test(lines)) return false
    at = pattern.lastIndex
    return true
  }
  while (at < lines.length) {
    if (skip(blank)) continue
    const start = at
    if (!skip(setting)) throw refusal(path, lines, start, 'is not of the form NAME=value')
    const isQuoted = /["'`]/.test(lines.charAt(at))
    if (isQuoted && !skip(quoted)) throw refusal(path, lines, start, 'has a quote that is not closed')
    skip(rest)
  }
}

function refusal(path: string, lines: string, at: number, fault: string): StartError {
  const number = lines.slice(0, at).split('\n').length
  // Without ":" or "=" behind it, the first word may be a part of a secret, such as a key of several lines.
  const name = /^\s*(?:export\s+)?([A-Za-z_][\w.-]*)\s*[:=]/.exec(lines.slice(at))?.[1]
  return new StartError(
    'PLINTH_CONFIG_ENV',
    `${path}: line ${number}${name === undefined ? '' : ` (${name})`} ${fault}`,
  )
}
