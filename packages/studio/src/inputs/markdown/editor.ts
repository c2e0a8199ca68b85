// Makes the editor of Markdown text. The text itself is edited, so that reading and writing it changes nothing.

import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { deleteMarkupBackward, insertNewlineContinueMarkup, markdownLanguage } from '@codemirror/lang-markdown'
import { LanguageSupport } from '@codemirror/language'
import { Annotation, Compartment, EditorState } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { insertLink, toggleCode, toggleMark } from './commands.ts'
import { appearance } from './theme.ts'

interface EditorParts {
  readonly text: string
  /** The user has changed the text. */
  readonly onChange: () => void
  readonly onBlur: () => void
}

/** The settings that may change while the editor exists. */
export interface EditorSettings {
  /** The attributes for assistive technologies. */
  readonly attributes: Readonly<Record<string, string>>
  readonly isReadOnly: boolean
}

const settings = new Compartment()
const isFromForm = Annotation.define<boolean>()

// Tab is left to the page, so that no one is caught in the editor.
const keys = keymap.of([
  { key: 'Mod-b', run: toggleMark('**') },
  { key: 'Mod-i', run: toggleMark('_') },
  { key: 'Mod-e', run: toggleCode },
  { key: 'Mod-Shift-x', run: toggleMark('~~') },
  { key: 'Mod-Shift-k', run: insertLink },
  { key: 'Enter', run: insertNewlineContinueMarkup },
  { key: 'Backspace', run: deleteMarkupBackward },
  ...historyKeymap,
  ...defaultKeymap,
])

export function makeEditor({ text, onChange, onBlur }: EditorParts): EditorView {
  const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
  return new EditorView({
    doc: text,
    extensions: [
      EditorView.cspNonce.of(nonce),
      keys,
      history(),
      new LanguageSupport(markdownLanguage),
      EditorView.lineWrapping,
      settings.of([]),
      appearance,
      EditorView.updateListener.of(update => {
        const isTyped = update.docChanged && !update.transactions.some(one => one.annotation(isFromForm))
        if (isTyped) onChange()
      }),
      EditorView.domEventHandlers({ blur: onBlur }),
    ],
  })
}

export function applySettings(view: EditorView, { attributes, isReadOnly }: EditorSettings): void {
  view.dispatch({
    effects: settings.reconfigure([
      EditorView.contentAttributes.of({
        ...attributes,
        tabindex: '0',
        spellcheck: 'true',
        autocapitalize: 'sentences',
      }),
      EditorState.readOnly.of(isReadOnly),
    ]),
  })
}

export const textIn = (view: EditorView): string => view.state.sliceDoc()

/** Shows another text, which the form has been given. */
export function showText(view: EditorView, text: string): void {
  if (text === textIn(view)) return
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, annotations: isFromForm.of(true) })
}
