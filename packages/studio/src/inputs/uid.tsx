// The input for a uid: letters, digits and a few signs.

import { TextField } from '../ui/text-field.tsx'
import { fieldTexts, type InputProps } from './props.ts'

export function UidInput(props: InputProps<string>) {
  const { value, onChange } = props
  return (
    <TextField
      {...fieldTexts(props)}
      isCode
      value={value ?? ''}
      onChange={text => onChange(text === '' ? null : text)}
    />
  )
}
