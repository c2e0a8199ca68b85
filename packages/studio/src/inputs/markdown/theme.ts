// The theme of the Markdown editor, with the colours of the panel.

import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const theme = EditorView.theme({
  '&': { height: '100%', fontSize: 'var(--size-3)', color: 'var(--text)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', fontSize: 'var(--size-2)', lineHeight: '1.65', overflow: 'auto' },
  '.cm-content': { padding: 'var(--space-3) 0', caretColor: 'var(--text)' },
  '.cm-line': { padding: '0 var(--space-3)' },
  '&.cm-editor .cm-content ::selection': { backgroundColor: 'color-mix(in oklch, var(--accent), transparent 70%)' },
})

const style = HighlightStyle.define([
  { tag: tags.heading1, fontSize: '1.3em', fontWeight: '650' },
  { tag: tags.heading2, fontSize: '1.15em', fontWeight: '650' },
  { tag: tags.heading, fontWeight: '650' },
  { tag: tags.strong, fontWeight: '700' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: [tags.link, tags.url], color: 'var(--accent)' },
  { tag: tags.monospace, color: 'var(--good)' },
  { tag: tags.quote, color: 'var(--text-soft)' },
  { tag: [tags.processingInstruction, tags.labelName, tags.contentSeparator, tags.meta], color: 'var(--text-faint)' },
])

export const appearance = [theme, syntaxHighlighting(style)]
