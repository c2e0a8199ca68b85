// The input for one of several words.

import { useTranslations } from 'use-intl'
import { Select } from '../ui/select.tsx'
import { fieldTexts, type InputProps } from './props.ts'

/** No word of an enumeration is empty. */
const none = ''

export function EnumerationInput(props: InputProps<string>) {
  const { value, onChange, required, attribute } = props
  const t = useTranslations('input')
  const words = (attribute.options.enum as readonly string[] | undefined) ?? []
  // A word that the schema has no longer stays as it is until another one is chosen.
  const all = value && !words.includes(value) ? [value, ...words] : words
  const choices = all.map(word => ({ value: word, label: word }))
  return (
    <Select
      {...fieldTexts(props)}
      choices={required ? choices : [{ value: none, label: t('none') }, ...choices]}
      value={value ?? (required ? null : none)}
      placeholder={t('choose')}
      onChange={word => onChange(word === none ? null : word)}
    />
  )
}
