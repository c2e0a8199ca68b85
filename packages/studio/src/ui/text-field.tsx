// Inputs of text: one line, several lines, and secret ones.

import type { HTMLInputTypeAttribute, ReactNode, Ref } from 'react'
import { TextField as AriaTextField, Input, type KeyboardEvent, TextArea } from 'react-aria-components'
import { classNames } from './class-names.ts'
import styles from './field.module.css'
import { FieldLabel, FieldNotes, type FieldTexts } from './field.tsx'

export interface TextFieldProps extends FieldTexts {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly onBlur?: () => void
  readonly onKeyDown?: (event: KeyboardEvent) => void
  readonly name?: string
  readonly type?: HTMLInputTypeAttribute
  readonly inputMode?: 'text' | 'numeric' | 'decimal' | 'email' | 'url' | 'search'
  readonly autoComplete?: string
  readonly autoFocus?: boolean
  readonly placeholder?: string
  readonly maxLength?: number
  readonly disabled?: boolean
  readonly isReadOnly?: boolean
  readonly isMultiline?: boolean
  /** Set in a type of equal widths, without the browser's check of spelling. */
  readonly isCode?: boolean
  readonly isNumeric?: boolean
  readonly rows?: number
  /** Stands at the end of the input, such as a button. */
  readonly suffix?: ReactNode
  readonly inputRef?: Ref<HTMLInputElement>
}

export function TextField(props: TextFieldProps) {
  const { label, description, error, required, note, isMultiline, suffix, disabled, isReadOnly, name, type, isCode } =
    props
  const className = classNames(
    styles.input,
    isMultiline && styles.area,
    isCode && styles.code,
    props.isNumeric && styles.numeric,
  )
  const input = {
    placeholder: props.placeholder,
    maxLength: props.maxLength,
    ...(isCode && { spellCheck: false, autoCapitalize: 'off' }),
  }
  return (
    <AriaTextField
      className={styles.field!}
      value={props.value}
      onChange={props.onChange}
      {...(props.onBlur && { onBlur: props.onBlur })}
      {...(props.onKeyDown && { onKeyDown: props.onKeyDown })}
      {...(name && { name })}
      type={(type ?? 'text') as 'text'}
      inputMode={props.inputMode ?? 'text'}
      autoComplete={props.autoComplete ?? 'off'}
      autoFocus={props.autoFocus ?? false}
      isDisabled={disabled ?? false}
      isReadOnly={isReadOnly ?? false}
      isRequired={required ?? false}
      isInvalid={Boolean(error)}
      validationBehavior="aria"
    >
      <FieldLabel label={label} required={required ?? false} note={note} />
      {isMultiline ? (
        <TextArea className={className} rows={props.rows ?? 3} {...input} />
      ) : suffix === undefined ? (
        <Input className={className} ref={props.inputRef ?? null} {...input} />
      ) : (
        <div className={classNames(styles.input, styles.group)}>
          <Input className={styles.inner!} ref={props.inputRef ?? null} {...input} />
          {suffix}
        </div>
      )}
      <FieldNotes description={description} error={error ?? null} />
    </AriaTextField>
  )
}
