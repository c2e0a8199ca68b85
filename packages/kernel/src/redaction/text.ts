// Leaves secrets out of texts: messages of errors, stacks, URLs, and lines that are printed. A secret is found by what
// stands before it, so every expression must take linear time for any text: clients choose what is logged.

import { isSecretName, secretWords } from './names.ts'

/** What stands for a secret. */
export const redacted = '[redacted]'

/** Longer texts are cut, because they are searched while requests wait. */
const maxLength = 100_000

/** How often a value that is encoded within another one is decoded. */
const maxDepth = 3

/** `//user:password@host`, also without a user or a password. */
const userInfo = /:\/\/[^\s/?#"'<>]*@/g

/** A JSON Web Token. */
const webToken = /(?<![\w-])eyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?/g

/** The value of a header. A word of lower-case letters is none: a message may be about "Basic authentication". */
const scheme =
  /(?<![\w-])([Bb][Ee][Aa][Rr][Ee][Rr]|[Bb][Aa][Ss][Ii][Cc])([ +]|%20)+(?![A-Za-z][a-z]{0,18}(?![\w.~+/=-]))[\w.~+/=-]{6,}/g

/** A header as it is written on a line. */
const header = /(?<![\w-])((?:proxy-)?authorization|(?:set-)?cookie)(\s*:\s*)(?=[^\s"'\\])[^\r\n]+/gi

/** `name=value` of query strings, forms, cookies, command lines and the addresses of databases. */
const pair = /(?<![\w%.[\]$-])([\w%.[\]$-]+)=("[^"]*"|'[^']*'|[^&\s"'#]*)/g

/** What stands before a value: the end of its name and a colon. The quotes of JSON within JSON are escaped. */
const colon = '(\\\\*["\'`]?\\s*:\\s*)'
const quoted = '"(?:[^"\\\\]|\\\\[\\s\\S])*"|\'(?:[^\'\\\\]|\\\\[\\s\\S])*\'|`[^`]*`|(\\\\+)"[\\s\\S]*?(?<!\\\\)\\3"'

/** `name: "value"` of JSON, JavaScript and query languages, and lists and objects in the place of the value. */
const memberOf = (words: string) =>
  new RegExp(
    `(?<![\\w-])([\\w-]{0,64}?(?:${words})[\\w-]{0,64})${colon}` +
      `(?:${quoted}|\\d{4,}|\\{(?:[^{}]|\\{[^{}]*\\})*\\}|\\[[^[\\]]*\\])`,
    'gi',
  )
let member = { words: '', pattern: /(?:)/g }

function memberPattern(): RegExp {
  const words = secretWords()
  if (member.words !== words) member = { words, pattern: memberOf(words) }
  return member.pattern
}

/** Members that are secret beside a password, as in the body that resets one. */
const beside = new RegExp(`(?<![\\w-])(code|confirmation)${colon}(?:${quoted})`, 'gi')

/**
 * Values in the messages of databases. Each expression takes everything up to where the values may end, because searching
 * for an end from each of many beginnings would take quadratic time.
 */
const rows = /(Failing row contains )(\([\s\S]*)|(Key \([^()]*\)=)(\([^\n]*)|(Duplicate entry )('[^\n]*)/g

/** Whether a text is or quotes an SQL statement, as the messages of some drivers do. */
const statement = /(?:^|: )(?:insert into|update|delete from|select|with) /im
/** Also matches a text without an end, so that the rest is not searched again from each quote in it. */
const literal = /'(?:[^'\\]|\\[\s\S]?|'')*('|$)/g

/**
 * The text without what is secret in it: passwords in URLs, bearer tokens, headers of authentication and cookies,
 * parameters and members whose name says that they are secret, and values of rows in messages of databases. Texts of
 * more than 100,000 characters are cut.
 */
export function redactText(text: string): string {
  return redactWithin(text.length > maxLength ? `${text.slice(0, maxLength)}… (cut)` : text, 0)
}

function redactWithin(text: string, depth: number): string {
  let left = text
  if (left.includes('://')) left = left.replace(userInfo, `://${redacted}@`)
  left = left.replace(webToken, redacted).replace(scheme, `$1 ${redacted}`).replace(header, `$1$2${redacted}`)
  const members = left.replace(memberPattern(), `$1$2"${redacted}"`)
  left = members === left ? left : members.replace(beside, `$1$2"${redacted}"`)
  if (left.includes('=')) {
    const whole = left
    left = whole.replace(pair, (found: string, name: string, value: string, at: number) => {
      const isSent = /[?&]/.test(whole[at - 1] ?? '')
      return isSecretName(decoded(name), isSent) || holdsSecret(value, depth) ? `${name}=${redacted}` : found
    })
  }
  return redactRows(left)
}

/** Whether a secret is in a value, which may be encoded several times, such as the address of a page to go back to. */
function holdsSecret(value: string, depth: number): boolean {
  let inner = value
  for (let i = depth; i < maxDepth && /[=:%+]/.test(inner); i++) {
    inner = decoded(inner)
    if (redactWithin(inner, i + 1) !== inner) return true
  }
  return false
}

function redactRows(text: string): string {
  const left = text.replace(rows, (found, row, ofRow, key, ofKey, entry, ofEntry) => {
    if (entry === undefined) return upTo(')', row ?? key, ofRow ?? ofKey)
    return ofEntry.includes("' for key") ? upTo("' for key", entry, ofEntry, ' for key') : found
  })
  return statement.test(left) ? redactLiterals(left) : left
}

/** `before`, and what stands after the last `end` of `values`; all of `values` is left out if it has no end. */
function upTo(end: string, before: string, values: string, kept = ''): string {
  const at = values.lastIndexOf(end)
  return `${before}${redacted}${kept}${at === -1 ? '' : values.slice(at + end.length)}`
}

/** An SQL statement without the texts in it. */
export function redactLiterals(sql: string): string {
  return sql.replace(literal, (found: string, end: string) => (end === '' ? found : `'${redacted}'`))
}

/** The text of a URL's component, unchanged if it is not encoded correctly. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
