// The input for v4's blocks: an editor of paragraphs, headings, lists, quotes, code, images and links.

import { useId, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { isEqual } from '../../model/changes.ts'
import fieldStyles from '../../ui/field.module.css'
import { EditorNotes, LabelText } from '../../ui/field.tsx'
import { toast } from '../../ui/toasts.tsx'
import { LockedInput } from '../locked.tsx'
import type { InputProps } from '../props.ts'
import { EditorBoundary } from './boundary.tsx'
import { BlocksEditor } from './editor.tsx'

type Blocks = readonly unknown[]

export function BlocksInput(props: InputProps<Blocks>) {
  const { value } = props
  if (value !== null && value !== undefined && !Array.isArray(value)) return <LockedInput {...(props as InputProps)} />
  return <BlocksField {...props} />
}

function BlocksField({ value, onChange, attribute, required, disabled, error }: InputProps<Blocks>) {
  const t = useTranslations('blocks')
  const id = useId()
  const { version, send } = useVersions(value ?? null, onChange)
  const describedBy = [attribute.description && `${id}-description`, error !== null && `${id}-error`]
  return (
    // biome-ignore lint/a11y/useSemanticElements: a legend cannot be laid out as a label is
    <div className={fieldStyles.field} role="group" aria-labelledby={`${id}-label`}>
      <div className={fieldStyles.label}>
        <span id={`${id}-label`}>
          <LabelText label={attribute.label} required={required} />
        </span>
      </div>
      <EditorBoundary onRestart={() => toast(t('restarted'))}>
        {failures => (
          <BlocksEditor
            key={`${version} ${failures}`}
            blocks={value ?? []}
            onChange={send}
            disabled={disabled}
            required={required}
            isInvalid={error !== null}
            labelledBy={`${id}-label`}
            describedBy={describedBy.filter(Boolean).join(' ')}
          />
        )}
      </EditorBoundary>
      <EditorNotes id={id} description={attribute.description} error={error} />
    </div>
  )
}

/** Counts the values that come from the form and not from the editor, each of which needs an editor of its own. */
function useVersions(value: Blocks | null, onChange: (value: Blocks | null) => void) {
  const sent = useRef(value)
  const version = useRef(0)
  if (value !== sent.current && !isEqual(value, sent.current)) {
    sent.current = value
    version.current++
  }
  const send = (next: Blocks | null) => {
    sent.current = next
    onChange(next)
  }
  return { version: version.current, send }
}
