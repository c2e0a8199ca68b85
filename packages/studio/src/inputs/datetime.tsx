// The inputs for a moment. It is shown and typed in the zone of the browser, and stored in UTC, which stands beside it.

import { getLocalTimeZone, type ZonedDateTime } from '@internationalized/date'
import { DateField } from '../ui/date-field.tsx'
import { attempt } from './attempt.ts'
import { readMoment, utcNote, writeMoment } from './moments.ts'
import { fieldTexts, type InputProps } from './props.ts'

export function DatetimeInput(props: InputProps<string>) {
  const { value, onChange } = props
  const moment = readMoment(value, getLocalTimeZone())
  return (
    <DateField<ZonedDateTime>
      {...fieldTexts(props)}
      {...(value && { note: utcNote(value) })}
      value={moment}
      onChange={next => onChange(next === null ? null : writeMoment(next, moment))}
      granularity="minute"
    />
  )
}

/** The API has timestamps as milliseconds since 1970, in a text. */
export function TimestampInput(props: InputProps<string>) {
  const { value, onChange } = props
  const isoOf = (text: string) => attempt(() => new Date(Number(text)).toISOString())
  return (
    <DatetimeInput
      {...props}
      value={value ? isoOf(value) : null}
      onChange={text => onChange(text === null ? null : String(Date.parse(text)))}
    />
  )
}
