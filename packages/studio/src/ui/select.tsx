// A choice of one out of a list.

import { Check, ChevronsUpDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { Select as AriaSelect, Button, ListBox, ListBoxItem, Popover, SelectValue } from 'react-aria-components'
import { classNames } from './class-names.ts'
import fieldStyles from './field.module.css'
import { FieldLabel, FieldNotes, type FieldTexts } from './field.tsx'
import menuStyles from './menu.module.css'
import styles from './select.module.css'

export interface Choice {
  readonly value: string
  readonly label: ReactNode
  /** The text that is searched by typing; by default the label, which must be a text then. */
  readonly text?: string
}

export interface SelectProps extends Omit<FieldTexts, 'label'> {
  /** Without it, the choice needs an `aria-label`. */
  readonly label?: ReactNode
  readonly 'aria-label'?: string
  readonly choices: readonly Choice[]
  readonly value: string | null
  readonly onChange: (value: string) => void
  readonly placeholder?: string
  readonly disabled?: boolean
}

export function Select({ label, description, error, required, note, choices, placeholder, ...props }: SelectProps) {
  return (
    <AriaSelect
      className={fieldStyles.field!}
      {...(props['aria-label'] && { 'aria-label': props['aria-label'] })}
      value={props.value}
      onChange={key => props.onChange(String(key))}
      isDisabled={props.disabled ?? false}
      isRequired={required ?? false}
      isInvalid={Boolean(error)}
      validationBehavior="aria"
      placeholder={placeholder ?? '–'}
    >
      {label !== undefined && <FieldLabel label={label} required={required ?? false} note={note} />}
      <Button className={classNames(fieldStyles.input, styles.trigger)}>
        <SelectValue className={styles.value!} />
        <ChevronsUpDown aria-hidden="true" />
      </Button>
      <FieldNotes description={description} error={error ?? null} />
      <Popover className={menuStyles.popover!} offset={4}>
        <ListBox className={menuStyles.menu!} items={choices.map(one => ({ ...one, id: one.value }))}>
          {choice => (
            <ListBoxItem
              className={menuStyles.item!}
              textValue={choice.text ?? (typeof choice.label === 'string' ? choice.label : choice.value)}
            >
              <span className={menuStyles.text}>{choice.label}</span>
              <Check className={menuStyles.check} aria-hidden="true" />
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  )
}
