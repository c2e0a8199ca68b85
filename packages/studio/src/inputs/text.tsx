// The input for text of several lines.

import { TextField } from '../ui/text-field.tsx'
import { lengthNote } from './length.ts'
import { fieldTexts, type InputProps } from './props.ts'

export function TextInput(props: InputProps<string>) {
  const { value, onChange, attribute } = props
  return (
    <TextField
      {...fieldTexts(props)}
      isMultiline
      note={lengthNote(value, attribute)}
      value={value ?? ''}
      onChange={text => onChange(text === '' ? null : text)}
    />
  )
}
