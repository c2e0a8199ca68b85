// Defines the names that mark a value as secret: of settings, environment variables, headers, parameters and
// attributes. Has the general words; plugins add their own names by `secretNames`. Knows neither texts nor records.

/** The words that a secret name contains, in any case. Written as a part of a regular expression. */
const general =
  'passw(?:or)?d|passphrase|pwd|secret|token|authorization|cookie|api[-_]?key|app[-_]?keys|access[-_]?key|' +
  'private[-_]?key|credential|signature'

/** Secret names that are parts of other words. */
const whole = ['pass']

/**
 * Names that are secret only in what a client sends: elsewhere a code is that of an error. Such a name may be a part of
 * a path, as in `confirmation[x]` and `a.code`.
 */
const sentOnly = /(?<![\w-])(?:code|confirmation|oauth_verifier)(?![\w-])/i

/** The names of plugins. They belong to the process, as its output does, which all kernels of the process share. */
const added = new Set<string>()

let words = wordsOf(whole)
let contains = new RegExp(words, 'i')

/** Makes names secret from now on, for the whole process. A name consists of letters, digits, "_" and "-". */
export function addSecretNames(names: readonly string[]): void {
  for (const name of names) added.add(name)
  words = wordsOf([...whole, ...added])
  contains = new RegExp(words, 'i')
}

function wordsOf(names: readonly string[]): string {
  return `${general}|(?<![a-z])(?:${names.join('|')})(?![a-z])`
}

/**
 * Returns the words that a secret name contains, as a part of a regular expression that ignores case. The result
 * changes when names are added.
 */
export function secretWords(): string {
  return words
}

/**
 * Like secretWords(), but also matches within other words: in JSON the letter of an escape, such as `\n`, may precede a
 * name.
 */
export function secretWordParts(): string {
  return [general, ...whole, ...added].join('|')
}

/** Returns whether a name marks its value as secret. `isSent`: in a query string, a body or the path of a request. */
export function isSecretName(name: string, isSent: boolean): boolean {
  return contains.test(name) || (isSent && sentOnly.test(name))
}
