// Removes members of an object from a text, so that what is left is the same program without them.

import { isJson, type Member, tokensOf } from '@plinth/v4/syntax'
import type MagicString from 'magic-string'

/** A text that is being changed. */
export interface EditedText {
  readonly text: string
  readonly edited: MagicString
}

/** Removes a member with the comma behind it, or with the one before it if it is the last member. Comments stay. */
export function removeMember({ text, edited }: EditedText, { start, end }: Pick<Member, 'start' | 'end'>): void {
  const offset = isJson(text) ? 1 : 0
  const tokens = tokensOf(offset === 1 ? `(${text})` : text)
  const behind = tokens.find(one => one.start - offset >= end)
  const before = tokens.findLast(one => one.start - offset < start)
  if (behind?.label === ',') {
    const comma = behind.start - offset
    edited.remove(start, end)
    edited.remove(comma, comma + 1 + spacesBehind(text, comma + 1))
    // A line that had nothing else goes too.
    const line = start - spacesBefore(text, start)
    if (text[line] === '\n' && text[comma + 1 + spacesBehind(text, comma + 1)] === '\n') edited.remove(line, start)
    return
  }
  edited.remove(start - spacesBefore(text, start), end)
  if (before?.label === ',') edited.remove(before.start - offset, before.start - offset + 1)
}

const spacesBehind = (text: string, at: number) => /^[^\S\n]*/.exec(text.slice(at))![0].length

/** The spaces of the line, with its beginning if it has nothing else. */
const spacesBefore = (text: string, at: number) => /(?:\n)?[^\S\n]*$/.exec(text.slice(0, at))![0].length
