// The editor of blocks. It takes its blocks once; other blocks need another editor.

import { useEffect, useState } from 'react'
import { createEditor, Editor, type Location } from 'slate'
import { withHistory } from 'slate-history'
import { Editable, ReactEditor, type RenderChunkProps, Slate, withReact } from 'slate-react'
import { useHeldChange } from '../../form/held-changes.ts'
import { isEqual } from '../../model/changes.ts'
import styles from './blocks.module.css'
import { linkAt, removeLink, selectedText, setLink } from './commands.ts'
import { BlockElement, Leaf } from './elements.tsx'
import { runKey } from './keys.ts'
import { LinkDialog, type LinkTexts } from './link-dialog.tsx'
import { type BlockNode, type Originals, readBlocks, writeBlocks } from './nodes.ts'
import { withPaste } from './paste.ts'
import { withBlocks } from './rules.ts'
import { BlockTools } from './tools.tsx'

interface EditorProps {
  readonly blocks: readonly unknown[]
  readonly onChange: (blocks: readonly unknown[] | null) => void
  readonly disabled: boolean
  readonly required: boolean
  readonly isInvalid: boolean
  readonly labelledBy: string
  readonly describedBy: string
}

export function BlocksEditor({ blocks, onChange, disabled, required, isInvalid, ...texts }: EditorProps) {
  const [{ editor, document, write }] = useState(() => makeEditor(blocks))
  const heldChange = useHeldChange(() => onChange(write()))
  const links = useLinkDialog(editor)
  return (
    <Slate editor={editor} initialValue={document} onValueChange={heldChange.hold}>
      <div className={styles.box} data-invalid={isInvalid || undefined} data-disabled={disabled || undefined}>
        {!disabled && (
          <div className={styles.bar}>
            <BlockTools onLink={links.open} />
          </div>
        )}
        <Editable
          className={styles.text}
          role="textbox"
          aria-multiline="true"
          aria-labelledby={texts.labelledBy}
          {...(texts.describedBy && { 'aria-describedby': texts.describedBy })}
          {...(isInvalid && { 'aria-invalid': true })}
          {...(required && { 'aria-required': true })}
          {...(disabled && { 'aria-readonly': true, tabIndex: 0 })}
          readOnly={disabled}
          renderElement={BlockElement}
          renderLeaf={Leaf}
          renderChunk={Chunk}
          onKeyDown={event => runKey(editor, event, links.open)}
          onBlur={heldChange.release}
          spellCheck
          disableDefaultStyles
        />
      </div>
      {links.dialog}
    </Slate>
  )
}

/** The number of blocks that are drawn together; a long document is drawn in parts. */
const chunkSize = 200

function makeEditor(blocks: readonly unknown[]) {
  const originals: Originals = new WeakMap()
  const document = readBlocks(blocks, originals)
  const editor = withPaste(withBlocks(withHistory(withReact(createEditor()))))
  editor.getChunkSize = node => (Editor.isEditor(node) && document.length > chunkSize ? chunkSize : null)
  /** Returns the value for the form; the blocks that were read if they are equal again. */
  const write = () => {
    const written = writeBlocks(editor.children as BlockNode[], originals)
    return isEqual(written ?? [], blocks) ? blocks : written
  }
  return { editor, document, write }
}

const Chunk = ({ attributes, lowest, children }: RenderChunkProps) => (
  <div {...attributes} className={lowest ? styles.chunk : undefined}>
    {children}
  </div>
)

function useLinkDialog(editor: Editor) {
  const [edited, setEdited] = useState<{ readonly link: LinkTexts; readonly at: Location } | null>(null)
  const close = () => setEdited(null)
  const isOpen = edited !== null
  useEffect(() => {
    // The dialog holds the focus until it has gone.
    if (isOpen) return () => ReactEditor.focus(editor)
  }, [isOpen, editor])
  const open = () => {
    const at = editor.selection ?? Editor.end(editor, [])
    const link = linkAt(editor)
    const text = link === null ? selectedText(editor) : Editor.string(editor, ReactEditor.findPath(editor, link))
    setEdited({ link: { url: link?.url ?? '', text }, at })
  }
  const dialog = edited !== null && (
    <LinkDialog
      link={edited.link}
      onClose={close}
      onSet={link => {
        setLink(editor, { ...link, at: edited.at })
        close()
      }}
      onRemove={
        edited.link.url === ''
          ? null
          : () => {
              removeLink(editor)
              close()
            }
      }
    />
  )
  return { open, dialog }
}
