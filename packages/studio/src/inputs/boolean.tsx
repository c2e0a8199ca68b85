// The input for yes and no, and for neither where the attribute may be empty.

import { useTranslations } from 'use-intl'
import { Segments } from '../ui/segments.tsx'
import { fieldTexts, type InputProps } from './props.ts'

export function BooleanInput(props: InputProps<boolean>) {
  const { value, onChange, required, attribute } = props
  const t = useTranslations('input')
  const mayBeEmpty = !required && (attribute.options.default === undefined || value === null)
  return (
    <Segments
      {...fieldTexts(props)}
      choices={[
        { value: 'true', label: t('yes') },
        { value: 'false', label: t('no') },
        ...(mayBeEmpty ? [{ value: 'null', label: t('unset') }] : []),
      ]}
      value={String(value ?? null)}
      onChange={text => onChange(text === 'null' ? null : text === 'true')}
    />
  )
}
