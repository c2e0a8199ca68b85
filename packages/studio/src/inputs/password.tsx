// The input for a password. No answer contains one, so an empty input leaves it as it is.

import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useFormSubject } from '../form/context.tsx'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/text-field.tsx'
import { fieldTexts, type InputProps } from './props.ts'

export function PasswordInput(props: InputProps<string>) {
  const { value, onChange } = props
  const t = useTranslations('input')
  const { entryId } = useFormSubject()
  const [isShown, setShown] = useState(false)
  return (
    <TextField
      {...fieldTexts(props)}
      description={props.attribute.description ?? (entryId === null ? null : t('passwordUnchanged'))}
      type={isShown ? 'text' : 'password'}
      autoComplete="new-password"
      value={value ?? ''}
      // Undefined is left out of a write.
      onChange={text => onChange(text === '' ? (undefined as never) : text)}
      suffix={
        <Button
          look="quiet"
          isSmall
          isIcon
          aria-label={isShown ? t('hide') : t('show')}
          onPress={() => setShown(!isShown)}
        >
          {isShown ? <EyeOff aria-hidden="true" /> : <Eye aria-hidden="true" />}
        </Button>
      }
    />
  )
}
