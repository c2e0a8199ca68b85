// The input for a line of text.

import { TextField } from '../ui/text-field.tsx'
import { lengthNote } from './length.ts'
import { fieldTexts, type InputProps } from './props.ts'

export function StringInput(props: InputProps<string>) {
  const { value, onChange, attribute } = props
  return (
    <TextField
      {...fieldTexts(props)}
      note={lengthNote(value, attribute)}
      value={value ?? ''}
      onChange={text => onChange(text === '' ? null : text)}
    />
  )
}
