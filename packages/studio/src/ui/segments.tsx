// A choice of one out of a few, all of which are seen.

import type { ReactNode } from 'react'
import { Radio, RadioGroup } from 'react-aria-components'
import fieldStyles from './field.module.css'
import { FieldLabel, FieldNotes, type FieldTexts } from './field.tsx'
import styles from './toggle.module.css'

interface SegmentsProps extends FieldTexts {
  readonly choices: readonly { readonly value: string; readonly label: ReactNode }[]
  readonly value: string
  readonly onChange: (value: string) => void
  readonly disabled?: boolean
}

export function Segments({
  label,
  description,
  error,
  required,
  note,
  choices,
  value,
  onChange,
  disabled,
}: SegmentsProps) {
  return (
    <RadioGroup
      className={fieldStyles.field!}
      value={value}
      onChange={onChange}
      isDisabled={disabled ?? false}
      isInvalid={Boolean(error)}
      validationBehavior="aria"
      orientation="horizontal"
    >
      <FieldLabel label={label} required={required ?? false} note={note} />
      <div className={styles.segments}>
        {choices.map(choice => (
          <Radio key={choice.value} value={choice.value} className={styles.segment!}>
            {choice.label}
          </Radio>
        ))}
      </div>
      <FieldNotes description={description} error={error ?? null} />
    </RadioGroup>
  )
}
