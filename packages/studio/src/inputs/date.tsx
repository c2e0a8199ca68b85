// The input for a day.

import { type CalendarDate, parseDate } from '@internationalized/date'
import { DateField } from '../ui/date-field.tsx'
import { attempt } from './attempt.ts'
import { fieldTexts, type InputProps } from './props.ts'

export function DateInput(props: InputProps<string>) {
  const { value, onChange } = props
  return (
    <DateField<CalendarDate>
      {...fieldTexts(props)}
      value={value ? attempt(() => parseDate(value.slice(0, 10))) : null}
      onChange={date => onChange(date === null ? null : date.toString())}
      granularity="day"
    />
  )
}
