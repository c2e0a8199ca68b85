// Leaves secrets out of texts: messages of errors, stacks, URLs, and lines that are printed. A secret is found by what
// stands before it, so every expression must take linear time for any text: clients choose what is logged.

import { isSecretName, secretWords } from './names.ts'
import { endOfNested } from './nested.ts'

/** The text that replaces a secret. */
export const redacted = '[redacted]'

/** Longer texts are cut, because they are searched while requests wait. */
const maxLength = 100_000

/** The maximum number of times that a value is decoded which is encoded within another one. */
const maxDepth = 3

/** `//user:password@host`, also without a user or a password. */
const userInfo = /:\/\/[^\s/?#"'<>]*@/g

/** A JSON Web Token. */
const webToken = /(?<![\w-])eyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?/g

/** The value of a header. A word of lower-case letters is not one: a message may be about "Basic authentication". */
const scheme =
  /(?<![\w-])([Bb][Ee][Aa][Rr][Ee][Rr]|[Bb][Aa][Ss][Ii][Cc])([ +]|%20)+(?![A-Za-z][a-z]{0,18}(?![\w.~+/=-]))[\w.~+/=-]{6,}/g

/** A header as it is written on a line. */
const header = /(?<![\w-])((?:proxy-)?authorization|(?:set-)?cookie)(\s*:\s*)(?=[^\s"'\\])[^\r\n]+/gi

/** An address: a path or a URL, and nothing else. Servers accept all characters in it but the white space of ASCII. */
const address = /^(?:[a-z][a-z\d+.-]{0,20}:\/\/|\/)[^\t-\r ]*$/i

/** A parameter of an address. Clients choose the characters of its name and of its value, which may contain a "#". */
const parameter = /(?<=[?&;#])([^=&;#?]+)=([^&]*)/g

/** `name=value` of query strings, forms, cookies, command lines and the addresses of databases. */
const pair = /(?<![\w%.[\]$-])([\w%.[\]$-]+)=("[^"]*"|'[^']*'|[^&\s"'#]*)/g

/** The text before a value: the end of its name and a colon. The quotes of JSON within JSON are escaped. */
const colon = '(\\\\*["\'`]?\\s*:\\s*)'
const quoted = '"(?:[^"\\\\]|\\\\[\\s\\S])*"|\'(?:[^\'\\\\]|\\\\[\\s\\S])*\'|`[^`]*`|(\\\\+)"[\\s\\S]*?(?<!\\\\)\\3"'

/** `name: "value"` of JSON, JavaScript and query languages; of a list or an object in the place of the value, the beginning. */
const memberOf = (words: string) =>
  new RegExp(`(?<![\\w-])([\\w-]{0,64}?(?:${words})[\\w-]{0,64})${colon}(?:${quoted}|\\d{4,}|[{[])`, 'gi')
let member = { words: '', pattern: /(?:)/g }

function memberPattern(): RegExp {
  const words = secretWords()
  if (member.words !== words) member = { words, pattern: memberOf(words) }
  return member.pattern
}

/** Members that are secret in what a client sends, and beside a password, as in the body that resets one. */
const ofSent = memberOf('confirmation|oauth_verifier|(?<![\\w-])code(?![\\w-])')

/** A secret member that cannot be the code of an error: `confirmation`, with the code that confirms an address. */
const confirmation = new RegExp(`(?<![\\w-])(confirmation)${colon}(?:${quoted}|[{[])`, 'gi')

/**
 * Values in the messages of databases. Each expression takes everything up to where the values may end, because searching
 * for an end from each of many beginnings would take quadratic time.
 */
const rows = /(Failing row contains )(\([\s\S]*)|(Key \([^()]*\)=)(\([^\n]*)|(Duplicate entry )('[^\n]*)/g

/** Matches a text that is or quotes an SQL statement, as the messages of some drivers do. */
const statement = /(?:^|: )(?:insert into|update|delete from|select|with) /im
/** Also matches a text without an end, so that the rest is not searched again from each quote in it. */
const literal = /'(?:[^'\\]|\\[\s\S]?|'')*('|$)/g

/**
 * The text without what is secret in it: passwords in URLs, bearer tokens, headers of authentication and cookies,
 * parameters and members whose name says that they are secret, and values of rows in messages of databases. Texts of
 * more than 100,000 characters are cut.
 */
export function redactText(text: string): string {
  return redactWithin(cut(text), { depth: 0, isSent: false })
}

/** The same for a text that a client has sent, such as a body: in it a code is never that of an error. */
export function redactSent(text: string): string {
  return redactWithin(cut(text), { depth: 0, isSent: true })
}

const cut = (text: string): string => (text.length > maxLength ? `${text.slice(0, maxLength)}… (cut)` : text)

/** The place of a text. */
interface Place {
  /** The number of times that it was decoded. */
  readonly depth: number
  /** True if all of it was sent by a client. */
  readonly isSent: boolean
}

function redactWithin(text: string, { depth, isSent }: Place): string {
  let left = text
  if (left.includes('://')) left = left.replace(userInfo, `://${redacted}@`)
  left = left.replace(webToken, redacted).replace(scheme, `$1 ${redacted}`).replace(header, `$1$2${redacted}`)
  const members = redactMembers(left, memberPattern())
  const ofClient = isSent || members !== left ? ofSent : confirmation
  left = redactMembers(members, ofClient)
  if (left.includes('=')) {
    const redact = (part: string, name: string, value: string, isParameter: boolean) =>
      isSecretName(decodedOften(name), isParameter) || holdsSecret(value, depth) ? `${name}=${redacted}` : part
    // In a text of words, a value ends where an address could not go on.
    if (address.test(left)) left = left.replace(parameter, (part, name, value) => redact(part, name, value, true))
    const whole = left
    left = whole.replace(pair, (part: string, name: string, value: string, at: number) =>
      redact(part, name, value, isSent || /[?&;#]/.test(whole[at - 1] ?? '')),
    )
  }
  return redactRows(left)
}

/** Leaves out the values that `pattern` finds, whose lists and objects may be nested to any depth. */
function redactMembers(text: string, pattern: RegExp): string {
  let left = ''
  let from = 0
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [all, name, between] = match
    const at = match.index + all.length
    const end = /[{[]$/.test(all) ? endOfNested(text, at - 1) : at
    left += `${text.slice(from, match.index)}${name}${between}"${redacted}"`
    from = end
    pattern.lastIndex = end
  }
  return from === 0 ? text : left + text.slice(from)
}

/**
 * Returns whether a secret is in a value, which may be encoded several times, such as the address of a page to go back
 * to.
 */
function holdsSecret(value: string, depth: number): boolean {
  let inner = value
  for (let i = depth; i < maxDepth && /[=:%+]/.test(inner); i++) {
    inner = decoded(inner)
    if (redactWithin(inner, { depth: i + 1, isSent: true }) !== inner) return true
  }
  return false
}

function redactRows(text: string): string {
  const left = text.replace(rows, (part, row, ofRow, key, ofKey, entry, ofEntry) => {
    if (entry === undefined) return upTo(')', row ?? key, ofRow ?? ofKey)
    return ofEntry.includes("' for key") ? upTo("' for key", entry, ofEntry, ' for key') : part
  })
  return statement.test(left) ? redactLiterals(left) : left
}

/** `before`, and what stands after the last `end` of `values`; all of `values` is left out if it has no end. */
function upTo(end: string, before: string, values: string, keptText = ''): string {
  const at = values.lastIndexOf(end)
  return `${before}${redacted}${keptText}${at === -1 ? '' : values.slice(at + end.length)}`
}

/** An SQL statement without the texts in it. */
export function redactLiterals(sql: string): string {
  return sql.replace(literal, (part: string, end: string) => (end === '' ? part : `'${redacted}'`))
}

/** A name that may be encoded several times. */
function decodedOften(name: string): string {
  let text = name
  for (let i = 0; i < maxDepth && /[%+]/.test(text); i++) text = decoded(text)
  return text
}

/** The text of a URL's component, unchanged if it is not encoded correctly. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
