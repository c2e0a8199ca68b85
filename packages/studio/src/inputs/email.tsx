// The input for an address of mail.

import { TextField } from '../ui/text-field.tsx'
import { fieldTexts, type InputProps } from './props.ts'

export function EmailInput(props: InputProps<string>) {
  const { value, onChange } = props
  return (
    <TextField
      {...fieldTexts(props)}
      type="email"
      inputMode="email"
      value={value ?? ''}
      onChange={text => onChange(text === '' ? null : text)}
    />
  )
}
