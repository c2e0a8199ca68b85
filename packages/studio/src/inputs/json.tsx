// The input for JSON: its text, which is checked while it is written. Numbers keep all of their digits.

import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { parseExactly } from '../api/exact-json.ts'
import { useLocalFault } from '../form/context.tsx'
import { isEqual } from '../model/changes.ts'
import { TextField } from '../ui/text-field.tsx'
import { fieldTexts, type InputProps } from './props.ts'

const textOf = (value: unknown): string => (value === null || value === undefined ? '' : JSON.stringify(value, null, 2))

export function JsonInput(props: InputProps) {
  const { value, onChange, name } = props
  const t = useTranslations('input')
  const [typed, setTyped] = useState<{ readonly text: string; readonly value: unknown } | null>(null)
  // The typed text is shown as long as the form has its value.
  const text = typed !== null && isEqual(typed.value, value ?? null) ? typed.text : textOf(value)
  const fault = faultOf(text)
  const message = fault === null ? null : t('notJson', { fault })
  useLocalFault(name, message)
  const change = (next: string) => {
    if (faultOf(next) !== null) return setTyped({ text: next, value: value ?? null })
    const parsed = next.trim() === '' ? null : parseExactly(next)
    setTyped({ text: next, value: parsed })
    onChange(parsed)
  }
  return (
    <TextField
      {...fieldTexts(props)}
      error={message ?? props.error}
      isMultiline
      isCode
      rows={5}
      value={text}
      onChange={change}
    />
  )
}

function faultOf(text: string): string | null {
  if (text.trim() === '') return null
  try {
    JSON.parse(text)
    return null
  } catch (error) {
    return (error as SyntaxError).message
  }
}
