// The input for a time of day.

import { parseTime, type Time } from '@internationalized/date'
import { TimeField } from '../ui/date-field.tsx'
import { attempt } from './attempt.ts'
import { fieldTexts, type InputProps } from './props.ts'

export function TimeInput(props: InputProps<string>) {
  const { value, onChange } = props
  const time = value ? attempt(() => parseTime(value)) : null
  return (
    <TimeField
      {...fieldTexts(props)}
      value={time}
      // Seconds and their parts cannot be typed, and stay.
      onChange={next => onChange(next === null ? null : textOf(next))}
    />
  )
}

const textOf = ({ hour, minute, second, millisecond }: Time): string => {
  const [hours, minutes, seconds] = [hour, minute, second].map(one => String(one).padStart(2, '0'))
  return `${hours}:${minutes}:${seconds}.${String(millisecond).padStart(3, '0')}`
}
