// Inputs of days, moments and times of day, in the form of the language of the panel.

import type { Time } from '@internationalized/date'
import { CalendarDays, ChevronLeft, ChevronRight, X } from 'lucide-react'
import {
  TimeField as AriaTimeField,
  Calendar,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  DateInput,
  DatePicker,
  DateSegment,
  type DateValue,
  Dialog,
  Group,
  Heading,
  Popover,
} from 'react-aria-components'
import { useTranslations } from 'use-intl'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import styles from './date-field.module.css'
import fieldStyles from './field.module.css'
import { FieldLabel, FieldNotes, type FieldTexts } from './field.tsx'
import menuStyles from './menu.module.css'

interface ValueProps<Value> extends FieldTexts {
  readonly value: Value | null
  readonly onChange: (value: Value | null) => void
  readonly disabled?: boolean
}

interface DateFieldProps<Value> extends ValueProps<Value> {
  readonly granularity: 'day' | 'minute'
}

const Segments = () => (
  <DateInput className={styles.segments!}>
    {segment => <DateSegment segment={segment} className={styles.segment!} />}
  </DateInput>
)

function ClearButton({ onPress }: { readonly onPress: () => void }) {
  const t = useTranslations('input')
  return (
    <Button slot={null} look="quiet" isSmall isIcon aria-label={t('clear')} onPress={onPress}>
      <X aria-hidden="true" />
    </Button>
  )
}

export function DateField<Value extends DateValue>({ granularity, value, onChange, ...field }: DateFieldProps<Value>) {
  const { label, required, note, description, error, disabled } = field
  return (
    <DatePicker
      className={fieldStyles.field!}
      // The types of React Aria want a day and a moment to have the same type.
      value={value as never}
      onChange={next => onChange(next as Value | null)}
      granularity={granularity}
      hideTimeZone
      shouldForceLeadingZeros
      isDisabled={disabled ?? false}
      isRequired={required ?? false}
      isInvalid={Boolean(error)}
      validationBehavior="aria"
    >
      <FieldLabel label={label} required={required ?? false} note={note} />
      <Group className={classNames(fieldStyles.input, fieldStyles.group)}>
        <Segments />
        {value !== null && !required && !disabled && <ClearButton onPress={() => onChange(null)} />}
        <Button look="quiet" isSmall isIcon>
          <CalendarDays aria-hidden="true" />
        </Button>
      </Group>
      <FieldNotes description={description} error={error ?? null} />
      <Popover className={menuStyles.popover!} offset={4}>
        <Dialog>
          <Month />
        </Dialog>
      </Popover>
    </DatePicker>
  )
}

function Month() {
  return (
    <Calendar className={styles.calendar!}>
      <header className={styles.calendarHead}>
        <Button slot="previous" look="quiet" isSmall isIcon>
          <ChevronLeft aria-hidden="true" />
        </Button>
        <Heading level={2} />
        <Button slot="next" look="quiet" isSmall isIcon>
          <ChevronRight aria-hidden="true" />
        </Button>
      </header>
      <CalendarGrid>
        <CalendarGridHeader>{day => <CalendarHeaderCell>{day}</CalendarHeaderCell>}</CalendarGridHeader>
        <CalendarGridBody>{date => <CalendarCell date={date} className={styles.day!} />}</CalendarGridBody>
      </CalendarGrid>
    </Calendar>
  )
}

export function TimeField({ value, onChange, ...field }: ValueProps<Time>) {
  const { label, required, note, description, error, disabled } = field
  return (
    <AriaTimeField
      className={fieldStyles.field!}
      value={value}
      onChange={onChange}
      granularity="minute"
      shouldForceLeadingZeros
      isDisabled={disabled ?? false}
      isRequired={required ?? false}
      isInvalid={Boolean(error)}
      validationBehavior="aria"
    >
      <FieldLabel label={label} required={required ?? false} note={note} />
      <div className={classNames(fieldStyles.input, fieldStyles.group)}>
        <Segments />
        {value !== null && !required && !disabled && <ClearButton onPress={() => onChange(null)} />}
      </div>
      <FieldNotes description={description} error={error ?? null} />
    </AriaTimeField>
  )
}
