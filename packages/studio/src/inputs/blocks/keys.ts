// The keys of the blocks editor, apart from those of every text. Tab is left to the page.

import type { KeyboardEvent } from 'react'
import type { Editor } from 'slate'
import { indentItem, liftItem, toggleMark } from './commands.ts'

const commands: Readonly<Record<string, (editor: Editor) => void>> = {
  b: editor => toggleMark(editor, 'bold'),
  i: editor => toggleMark(editor, 'italic'),
  u: editor => toggleMark(editor, 'underline'),
  e: editor => toggleMark(editor, 'code'),
  'shift x': editor => toggleMark(editor, 'strikethrough'),
  ']': indentItem,
  '[': liftItem,
}

/** Does what a key combination stands for; `onLink` opens the dialog of links. */
export function runKey(editor: Editor, event: KeyboardEvent, onLink: () => void): void {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return
  const name = `${event.shiftKey ? 'shift ' : ''}${event.key.toLowerCase()}`
  const command = name === 'shift k' ? onLink : commands[name]
  if (command === undefined) return
  event.preventDefault()
  command(editor)
}
