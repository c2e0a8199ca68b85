// Holds a number as the text that was typed, so that nothing is rounded. Up and down change it by one.

import Big from 'big.js'
import { useState } from 'react'
import type { KeyboardEvent } from 'react-aria-components'
import { useTranslations } from 'use-intl'
import { useLocalFault } from '../form/context.tsx'
import { TextField } from '../ui/text-field.tsx'
import { fieldTexts, type InputProps } from './props.ts'

interface NumberTextProps {
  readonly input: InputProps
  readonly isWhole: boolean
  /** The value of the form for a text that is a number. */
  readonly read: (text: string) => unknown
}

export function NumberText({ input, isWhole, read }: NumberTextProps) {
  const t = useTranslations('input')
  const { value, onChange, attribute, name } = input
  const [typed, setTyped] = useState<string | null>(null)
  const [first] = useState(value)
  const stored = value === null || value === undefined ? '' : String(value)
  const text = typed ?? stored
  const fault = faultOf(text, isWhole)
  useLocalFault(name, fault === null ? null : t(fault))

  const change = (next: string) => {
    setTyped(next)
    const trimmed = next.trim()
    if (trimmed === '') onChange(null)
    else if (trimmed === String(first)) onChange(first)
    else if (faultOf(trimmed, isWhole) === null) onChange(read(trimmed.replace(',', '.')))
  }
  const step = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
    if (by === 0 || fault !== null || input.disabled) return event.continuePropagation()
    event.preventDefault()
    change(new Big(text.trim().replace(',', '.') || '0').plus(by).toFixed())
  }
  const { min, max } = attribute.options as { readonly min?: unknown; readonly max?: unknown }
  return (
    <TextField
      {...fieldTexts(input)}
      error={fault === null ? input.error : t(fault)}
      note={rangeNote(min, max)}
      inputMode={isWhole ? 'numeric' : 'decimal'}
      isNumeric
      onKeyDown={step}
      value={text}
      onChange={change}
      onBlur={() => fault === null && setTyped(null)}
    />
  )
}

/** A comma is taken for a point, as many people type it. */
function faultOf(text: string, isWhole: boolean): 'notWhole' | 'notNumber' | null {
  const trimmed = text.trim()
  if (trimmed === '') return null
  if (isWhole) return /^[+-]?\d+$/.test(trimmed) ? null : 'notWhole'
  return /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d+)?$/i.test(trimmed) ? null : 'notNumber'
}

function rangeNote(min: unknown, max: unknown): string | undefined {
  if (min === undefined && max === undefined) return undefined
  if (max === undefined) return `≥ ${min}`
  return min === undefined ? `≤ ${max}` : `${min} – ${max}`
}
