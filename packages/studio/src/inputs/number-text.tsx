// Holds a number as the text that was typed, so that nothing is rounded. Up and down change it by one.

import { useState } from 'react'
import type { KeyboardEvent } from 'react-aria-components'
import { useLocale, useTranslations } from 'use-intl'
import { useLocalFault } from '../form/context.tsx'
import { isEqual } from '../model/changes.ts'
import { TextField } from '../ui/text-field.tsx'
import { addTo, hasDecimalComma, readNumber } from './numbers.ts'
import { fieldTexts, type InputProps } from './props.ts'

interface NumberTextProps {
  readonly input: InputProps
  readonly isWhole: boolean
  /** The value of the form for a number. */
  readonly makeValue: (number: string) => unknown
}

export function NumberText({ input, isWhole, makeValue }: NumberTextProps) {
  const t = useTranslations('input')
  const numberForm = { isWhole, hasComma: hasDecimalComma(useLocale()) }
  const { value, onChange, attribute, name } = input
  const [typed, setTyped] = useState<{ readonly text: string; readonly value: unknown } | null>(null)
  const [first] = useState(value)
  // The typed text is shown as long as the form has its value.
  const stored = value === null || value === undefined ? '' : String(value)
  const text = typed !== null && isEqual(typed.value, value ?? null) ? typed.text : stored
  const isFault = text.trim() !== '' && text !== stored && readNumber(text, numberForm) === null
  const fault = isFault ? t(isWhole ? 'notWhole' : 'notNumber') : null
  useLocalFault(name, fault)

  const change = (next: string) => {
    const now = valueFor(next.trim())
    setTyped({ text: next, value: now ?? null })
    if (now !== value) onChange(now)
  }
  /** Returns the value of a text for the form. If the text is not a number, the value of the form stays. */
  const valueFor = (trimmed: string): unknown => {
    if (trimmed === '') return null
    if (trimmed === String(first)) return first
    const number = readNumber(trimmed, numberForm)
    return number === null ? value : makeValue(number)
  }
  const step = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
    const number = text.trim() === '' ? '' : readNumber(text, numberForm)
    if (by === 0 || number === null || input.disabled) return event.continuePropagation()
    event.preventDefault()
    change(addTo(number, by))
  }
  const { min, max } = attribute.options as { readonly min?: unknown; readonly max?: unknown }
  return (
    <TextField
      {...fieldTexts(input)}
      error={fault ?? input.error}
      note={rangeNote(min, max)}
      inputMode={isWhole ? 'numeric' : 'decimal'}
      isNumeric
      onKeyDown={step}
      value={text}
      onChange={change}
      onBlur={() => !isFault && setTyped(null)}
    />
  )
}

function rangeNote(min: unknown, max: unknown): string | undefined {
  if (min === undefined && max === undefined) return undefined
  if (max === undefined) return `≥ ${min}`
  return min === undefined ? `≤ ${max}` : `${min} – ${max}`
}
