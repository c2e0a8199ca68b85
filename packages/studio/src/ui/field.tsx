// The parts around all inputs: the label, the description, and the fault.

import type { ReactNode } from 'react'
import { FieldError, Label, Text } from 'react-aria-components'
import styles from './field.module.css'

export interface FieldTexts {
  readonly label: ReactNode
  readonly description?: ReactNode
  /** The fault of the value; null if there is none. */
  readonly error?: string | null
  readonly required?: boolean
  /** A few words at the end of the line of the label, such as the number of characters. */
  readonly note?: ReactNode
}

/** The label of an input of React Aria, which ties them together. */
export function FieldLabel({ label, required, note }: Pick<FieldTexts, 'label' | 'required' | 'note'>) {
  return (
    <Label className={styles.label}>
      <LabelText label={label} required={required} />
      {note !== undefined && <span className={styles.note}>{note}</span>}
    </Label>
  )
}

/** The text of a label, with the mark of what is required. */
export function LabelText({ label, required }: { readonly label: ReactNode; readonly required?: boolean | undefined }) {
  return (
    <span>
      {label}
      {required && (
        <span className={styles.required} aria-hidden="true">
          {' *'}
        </span>
      )}
    </span>
  )
}

/** The sentence below an input of React Aria, and its fault. */
export function FieldNotes({ description, error }: Pick<FieldTexts, 'description' | 'error'>) {
  return (
    <>
      {description && (
        <Text slot="description" className={styles.description}>
          {description}
        </Text>
      )}
      {error && <FieldError className={styles.error}>{error}</FieldError>}
    </>
  )
}

interface EditorNotesProps extends Pick<FieldTexts, 'description' | 'error'> {
  /** The beginning of the ids by which the editor refers to both. */
  readonly id: string
}

/** Shows the description and the fault of an editor that is not an input of React Aria. */
export function EditorNotes({ id, description, error }: EditorNotesProps) {
  return (
    <>
      {description && (
        <p id={`${id}-description`} className={styles.description}>
          {description}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className={styles.error}>
          {error}
        </p>
      )}
    </>
  )
}
