// The commands of the buttons and keys of the Markdown editor. They add and remove the signs of Markdown around a selection.

import { EditorSelection, type EditorState, type Line, type StateCommand } from '@codemirror/state'

/** Sets text between two signs, such as `**` for bold, or takes them away. Without a selection, the word at the cursor. */
export const toggleMark =
  (mark: string): StateCommand =>
  ({ state, dispatch }) => {
    const change = state.changeByRange(range => {
      const { from, to } = range.empty ? (state.wordAt(range.from) ?? range) : range
      const text = state.sliceDoc(from, to)
      const size = mark.length
      if (text.length >= 2 * size && text.startsWith(mark) && text.endsWith(mark))
        return {
          changes: [
            { from, to: from + size },
            { from: to - size, to },
          ],
          range: range.empty ? EditorSelection.cursor(range.from - size) : EditorSelection.range(from, to - 2 * size),
        }
      if (isBetween(state, { from, to }, mark))
        return {
          changes: [
            { from: from - size, to: from },
            { from: to, to: to + size },
          ],
          range: EditorSelection.range(range.anchor - size, range.head - size),
        }
      return {
        changes: [
          { from, insert: mark },
          { from: to, insert: mark },
        ],
        range: EditorSelection.range(range.anchor + size, range.head + size),
      }
    })
    dispatch(state.update(change, { scrollIntoView: true, userEvent: 'input' }))
    return true
  }

/** Returns whether the sign is on both sides. A doubled sign does not count as the single one. */
function isBetween(state: EditorState, { from, to }: { from: number; to: number }, mark: string): boolean {
  const size = mark.length
  const before = state.sliceDoc(Math.max(0, from - size - 1), from)
  const after = state.sliceDoc(to, to + size + 1)
  if (!before.endsWith(mark) || !after.startsWith(mark)) return false
  return before.length === size || before[0] !== mark[0] || after[size] !== mark[0]
}

const prefix = /^(\s*)(#{1,6}\s+|[-*+]\s+|\d+[.)]\s+|>\s?)?/

/** Begins each selected line with a sign, or takes it away where all have it. `signOf` is given the number of the line. */
function toggleLines(signOf: (index: number) => string, isSign: (sign: string) => boolean): StateCommand {
  return ({ state, dispatch }) => {
    const lines = selectedLines(state)
    const parts = lines.map(line => {
      const [, indent = '', sign = ''] = prefix.exec(line.text)!
      return { at: line.from + indent.length, sign }
    })
    const hasAll = parts.every(({ sign }) => isSign(sign))
    const changes = parts.map(({ at, sign }, index) => ({
      from: at,
      to: at + sign.length,
      insert: hasAll ? '' : signOf(index),
    }))
    const set = state.changes(changes)
    // A cursor at the begin of a line goes behind its sign.
    const selection = state.selection.map(set, 1)
    dispatch(state.update({ changes: set, selection, scrollIntoView: true, userEvent: 'input' }))
    return true
  }
}

function selectedLines({ doc, selection }: EditorState): readonly Line[] {
  const { from, to } = selection.main
  const lines: Line[] = []
  for (let number = doc.lineAt(from).number; number <= doc.lineAt(to).number; number++) lines.push(doc.line(number))
  return lines.length > 1 ? lines.filter(line => line.text.trim() !== '') : lines
}

/** Makes a heading of a level, or text of it again. */
export const toggleHeading = (level: number): StateCommand => {
  const sign = `${'#'.repeat(level)} `
  return toggleLines(
    () => sign,
    one => one === sign,
  )
}

export const toggleBullets = toggleLines(
  () => '- ',
  sign => /^[-*+]/.test(sign),
)
export const toggleNumbers = toggleLines(
  index => `${index + 1}. `,
  sign => /^\d/.test(sign),
)
export const toggleQuote = toggleLines(
  () => '> ',
  sign => sign.startsWith('>'),
)

/** Marks code: within a line by a sign on both sides, and several lines by fences. */
export const toggleCode: StateCommand = target => {
  const { state, dispatch } = target
  const { from, to } = state.selection.main
  const [first, last] = [state.doc.lineAt(from), state.doc.lineAt(to)]
  if (first.number === last.number) return toggleMark('`')(target)
  const changes = [
    { from: first.from, insert: '```\n' },
    { from: last.to, insert: '\n```' },
  ]
  dispatch(state.update({ changes, scrollIntoView: true, userEvent: 'input' }))
  return true
}

/** Makes a link of the selected text, and selects what is to be typed: its address, or the text of a selected address. */
export const insertLink: StateCommand = ({ state, dispatch }) => {
  const { from, to } = state.selection.main
  const text = state.sliceDoc(from, to)
  const isAddress = /^(?:https?:\/\/|mailto:|\/)\S+$/.test(text)
  const address = isAddress ? text : 'https://'
  const insert = `[${isAddress ? '' : text}](${address})`
  const selection = isAddress
    ? EditorSelection.cursor(from + 1)
    : text === ''
      ? EditorSelection.cursor(from + 1)
      : EditorSelection.range(from + text.length + 3, from + insert.length - 1)
  dispatch(state.update({ changes: { from, to, insert }, selection, scrollIntoView: true, userEvent: 'input' }))
  return true
}

/** Puts images where the cursor is. */
export const insertImages =
  (files: readonly { readonly url: string; readonly text: string }[]): StateCommand =>
  ({ state, dispatch }) => {
    const images = files.map(({ url, text }) => `![${text.replace(/[[\]\\]/g, '\\$&')}](${escapeAddress(url)})`)
    const change = state.replaceSelection(images.join('\n\n'))
    dispatch(state.update(change, { scrollIntoView: true, userEvent: 'input' }))
    return true
  }

/** Spaces and parentheses would end the address. */
const escapeAddress = (url: string) =>
  url.replace(/[\s()<>]/g, one => `%${one.charCodeAt(0).toString(16).padStart(2, '0')}`)
