// The input for Markdown text: an editor of the text itself with buttons for its signs, and a view of how it will look.

import type { EditorView } from '@codemirror/view'
import { Maximize2, Minimize2 } from 'lucide-react'
import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useHeldChange } from '../../form/held-changes.ts'
import { classNames } from '../../ui/class-names.ts'
import { Dialog } from '../../ui/dialog.tsx'
import fieldStyles from '../../ui/field.module.css'
import { EditorNotes, LabelText } from '../../ui/field.tsx'
import { Tool } from '../../ui/toolbar.tsx'
import { lengthNote } from '../length.ts'
import type { InputProps } from '../props.ts'
import { applySettings, makeEditor, showText, textIn } from './editor.ts'
import { editedText, withPlainEnds } from './line-ends.ts'
import styles from './markdown.module.css'
import { MarkdownTools } from './tools.tsx'
import { type Shown, ViewChoice } from './view-choice.tsx'

const Preview = lazy(async () => ({ default: (await import('./preview.tsx')).Preview }))

export function MarkdownInput(props: InputProps<string>) {
  const { value, attribute, required, disabled, error } = props
  const t = useTranslations('markdown')
  const id = useId()
  const view = useEditor(props, id)
  const [side, setSide] = useState<Shown>('text')
  const [isLarge, setLarge] = useState(false)
  const box = (
    <div className={styles.box} data-invalid={error === null ? undefined : ''} data-disabled={disabled || undefined}>
      <div className={styles.bar}>
        {!disabled && <MarkdownTools view={view} isDisabled={side === 'preview' && !isLarge} />}
        <div className={styles.views}>
          {!isLarge && <ViewChoice shown={side} onChange={setSide} />}
          <Tool
            label={isLarge ? t('smaller') : t('larger')}
            icon={isLarge ? <Minimize2 aria-hidden="true" /> : <Maximize2 aria-hidden="true" />}
            onPress={() => setLarge(!isLarge)}
          />
        </div>
      </div>
      <div className={styles.sides}>
        {(isLarge || side === 'text') && <Host view={view} takesFocus={isLarge} />}
        {(isLarge || side === 'preview') && <Look text={value ?? ''} />}
      </div>
    </div>
  )
  return (
    // biome-ignore lint/a11y/useSemanticElements: a legend cannot be laid out as a label is
    <div className={fieldStyles.field} role="group" aria-labelledby={`${id}-label`}>
      <div className={fieldStyles.label}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: as a label does */}
        <span id={`${id}-label`} onClick={() => view.focus()}>
          <LabelText label={attribute.label} required={required} />
        </span>
        {lengthNote(value, attribute) !== undefined && (
          <span className={fieldStyles.note}>{lengthNote(value, attribute)}</span>
        )}
      </div>
      {isLarge ? <div className={classNames(styles.box, styles.away)}>{t('isLarge')}</div> : box}
      <Dialog title={attribute.label} isOpen={isLarge} onClose={() => setLarge(false)} isFull>
        {isLarge && box}
      </Dialog>
      <EditorNotes id={id} description={attribute.description} error={error} />
    </div>
  )
}

/** The editor of an input, which lives as long as the input. */
function useEditor({ value, onChange, attribute, required, disabled, error }: InputProps<string>, id: string) {
  // The value of the form when its text was last put into the editor, and the value that was last passed to the form.
  const first = useRef(value)
  const sent = useRef(value)
  const heldChange = useHeldChange(() => {
    sent.current = editedText(first.current, textIn(view))
    onChange(sent.current)
  })
  const [view] = useState(() =>
    makeEditor({ text: withPlainEnds(value ?? ''), onChange: heldChange.hold, onBlur: heldChange.release }),
  )
  useEffect(() => () => view.destroy(), [view])
  useEffect(() => {
    if ((value ?? null) === (sent.current ?? null)) return
    first.current = value
    sent.current = value
    showText(view, withPlainEnds(value ?? ''))
  }, [value, view])
  const describedBy = [attribute.description && `${id}-description`, error !== null && `${id}-error`]
  const described = describedBy.filter(Boolean).join(' ')
  const isInvalid = error !== null
  useEffect(() => {
    const attributes = {
      'aria-labelledby': `${id}-label`,
      ...(described !== '' && { 'aria-describedby': described }),
      ...(isInvalid && { 'aria-invalid': 'true' }),
      ...(required && { 'aria-required': 'true' }),
      ...(disabled && { 'aria-readonly': 'true' }),
    }
    applySettings(view, { attributes, isReadOnly: disabled })
  }, [view, id, described, isInvalid, required, disabled])
  return view
}

/** Places the editor in the page. It can be moved, and keeps the typed text. */
function Host({ view, takesFocus }: { readonly view: EditorView; readonly takesFocus: boolean }) {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    host.current?.append(view.dom)
    view.requestMeasure()
    if (takesFocus) view.focus()
  }, [view, takesFocus])
  return <div className={styles.host} ref={host} />
}

function Look({ text }: { readonly text: string }) {
  const t = useTranslations('markdown')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keys
    <section className={styles.preview} aria-label={t('preview')} tabIndex={0}>
      <Suspense fallback={null}>
        {text.trim() === '' ? <p className={styles.empty}>{t('empty')}</p> : <Preview text={text} />}
      </Suspense>
    </section>
  )
}
