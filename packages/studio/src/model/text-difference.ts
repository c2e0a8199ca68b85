// Finds the part in which two texts differ, so that it can be marked.

/** A text around the part that differs. */
export interface TextParts {
  readonly start: string
  readonly middle: string
  readonly end: string
}

const isWordPart = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}]/u.test(character)

const isSpace = (character: string | undefined): boolean => character !== undefined && /\s/.test(character)

/** The parts of `text`, of which the middle one is not in `other`. The part begins and ends between words, and not with a space. */
export function differenceOf(text: string, other: string): TextParts {
  const most = Math.min(text.length, other.length)
  let start = 0
  while (start < most && text[start] === other[start]) start++
  while (start > 0 && isWordPart(text[start - 1]) && (isWordPart(text[start]) || isWordPart(other[start]))) start--
  let end = 0
  while (end < most - start && text.at(-1 - end) === other.at(-1 - end)) end++
  while (end > 0 && isWordPart(text.at(-end)) && (isWordPart(text.at(-1 - end)) || isWordPart(other.at(-1 - end))))
    end--
  while (end < text.length - start && isSpace(text.at(-1 - end))) end++
  const last = text.length - end
  return { start: text.slice(0, start), middle: text.slice(start, last), end: text.slice(last) }
}
