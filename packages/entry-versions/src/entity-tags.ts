// Reads and compares entity tags as RFC 9110 defines them (8.8.3, 13.1.1, 13.1.2). Knows no request.

/** A tag of a header. */
interface EntityTag {
  readonly isWeak: boolean
  /** The text between the quotes. */
  readonly text: string
}

/** The tags of a header; `*` stands for any. */
type EntityTags = readonly EntityTag[] | '*'

const oneTag = /[ \t]*(?:(W\/)?"([\x21\x23-\x7e\x80-\xff]*)")?[ \t]*(?:,|$)/y

/** Parses the value of `If-Match` or of `If-None-Match`; null if it is not valid. A list may have empty items. */
function parseTags(value: string): EntityTags | null {
  if (value.trim() === '*') return '*'
  const tags: EntityTag[] = []
  oneTag.lastIndex = 0
  while (oneTag.lastIndex < value.length) {
    const match = oneTag.exec(value)
    if (match === null) return null
    const [, weak, text] = match
    if (text !== undefined) tags.push({ isWeak: weak !== undefined, text })
  }
  return tags.length === 0 ? null : tags
}

/** Makes a strong tag of an answer. */
export function tagOf(version: string, hash: string): string {
  return `"${version}-${hash}"`
}

/**
 * Returns the versions that the value of `If-Match` names. A weak tag names none, because the comparison is strong, so the
 * list may be empty. Null if the value cannot be parsed.
 */
export function versionsIn(ifMatch: string): readonly string[] | '*' | null {
  const tags = parseTags(ifMatch)
  if (tags === null || tags === '*') return tags
  return tags.filter(one => !one.isWeak).map(({ text }) => text.split('-', 1)[0]!)
}

/** Returns whether the value of `If-None-Match` names a tag. The comparison is weak; a value that cannot be parsed names none. */
export function isNamed(tag: string, ifNoneMatch: string): boolean {
  const tags = parseTags(ifNoneMatch)
  return tags === '*' || (tags?.some(({ text }) => `"${text}"` === tag) ?? false)
}
